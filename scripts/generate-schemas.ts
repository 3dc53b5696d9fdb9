import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaFiles } from './schema-files.js';

/** Writes `schemas/*.json` anew: npx tsx scripts/generate-schemas.ts */
const directory = join(import.meta.dirname, '..', 'schemas');
await mkdir(directory, { recursive: true });
for (const { name, text } of await schemaFiles()) await writeFile(join(directory, name), text);
