import { dirname, join } from 'node:path';
import { readIfThere } from '../platform/files.js';

/** Where the scenarios and measurements that come with meshscale lie. */
export interface ShippedFolders {
  readonly scenarios: string;
  readonly measurements: string;
}

/** The folders beside our own `package.json`, from the sources as well as from `dist/`. */
export async function shippedFolders(): Promise<ShippedFolders> {
  let directory = import.meta.dirname;
  while ((await readIfThere(join(directory, 'package.json'))) === undefined) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error(`no package.json above ${import.meta.dirname}`);
    directory = parent;
  }
  return {
    scenarios: join(directory, 'scenarios'),
    measurements: join(directory, 'measurements'),
  };
}
