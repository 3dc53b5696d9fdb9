import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';

const sourceMap = z.object({ sourcesContent: z.tuple([z.string()]).rest(z.string()) });
const require = createRequire(import.meta.url);

/**
 * The TypeScript that an installed provider binding was compiled from. It travels in the source map
 * of the compiled file, and unlike that says of each argument whether it is required, optional or
 * computed.
 *
 * @param module - such as `@cdktf/provider-azurerm/lib/subnet/index.js`
 */
export function bindingSource(module: string): string {
  const compiled = readFileSync(require.resolve(module), 'utf8');
  const encoded = /sourceMappingURL=data:application\/json;base64,([A-Za-z0-9+/=]+)/.exec(
    compiled,
  )?.[1];
  if (encoded === undefined) throw new Error(`${module} carries no source map`);
  const map: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  return sourceMap.parse(map).sourcesContent[0];
}
