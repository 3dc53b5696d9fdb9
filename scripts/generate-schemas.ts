import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { SCENARIO_PAGE, scenarioPage } from './scenario-tables.js';
import { schemaFiles } from './schema-files.js';

/** Writes `schemas/*.json` and `docs/scenarios.md` anew: npx tsx scripts/generate-schemas.ts */
const directory = join(import.meta.dirname, '..', 'schemas');
await mkdir(directory, { recursive: true });
for (const { name, content } of schemaFiles()) {
  const text = await format(JSON.stringify(content), { parser: 'json', printWidth: 100 });
  await writeFile(join(directory, name), text);
}
await writeFile(SCENARIO_PAGE, await format(await scenarioPage(), { parser: 'markdown' }));
