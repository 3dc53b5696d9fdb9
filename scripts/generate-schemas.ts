import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SCENARIO_PAGE, scenarioPage } from './scenario-tables.js';
import { schemaFiles } from './schema-files.js';

/** Writes `schemas/*.json` and `docs/scenarios.md` anew: npx tsx scripts/generate-schemas.ts */
const directory = join(import.meta.dirname, '..', 'schemas');
await mkdir(directory, { recursive: true });
for (const { name, text } of await schemaFiles()) await writeFile(join(directory, name), text);
await writeFile(SCENARIO_PAGE, await scenarioPage());
