import { join } from 'node:path';
import { packageFolder } from '../platform/package-folder.js';

/** Where the scenarios and measurements that come with meshscale lie. */
export interface ShippedFolders {
  readonly scenarios: string;
  readonly measurements: string;
}

/** The folders beside our own `package.json`. */
export function shippedFolders(): ShippedFolders {
  const directory = packageFolder(import.meta.dirname);
  return {
    scenarios: join(directory, 'scenarios'),
    measurements: join(directory, 'measurements'),
  };
}
