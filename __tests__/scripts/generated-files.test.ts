import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { SCENARIO_PAGE, scenarioPage } from '../../scripts/scenario-tables.js';
import { schemaFiles } from '../../scripts/schema-files.js';

/** For a machine that is busy with other things. */
const PATIENCE = 60_000;
const root = join(import.meta.dirname, '..', '..');

describe('generated files', () => {
  it(
    'are up to date with the types: npm run generate',
    async () => {
      for (const { name, content } of schemaFiles()) {
        const written: unknown = JSON.parse(await readFile(join(root, 'schemas', name), 'utf8'));
        expect({ name, content: written }).toEqual({ name, content });
      }
      expect(unaligned(await readFile(SCENARIO_PAGE, 'utf8'))).toBe(
        unaligned(await scenarioPage()),
      );
    },
    PATIENCE,
  );

  it(
    'take every scenario and measurement file that comes with it',
    async () => {
      const refused: unknown[] = [];
      for (const [schema, folder] of [
        ['scenario.json', 'scenarios'],
        ['measurement.json', 'measurements'],
      ] as const) {
        const validate = new Ajv2020({ validateFormats: false }).compile(
          JSON.parse(await readFile(join(root, 'schemas', schema), 'utf8')) as object,
        );
        const files = await readdir(join(root, folder), { recursive: true });
        for (const file of files.filter((name) => name.endsWith('.yaml'))) {
          const text = await readFile(join(root, folder, file), 'utf8');
          if (!validate(parse(text, { merge: true }))) refused.push([file, validate.errors]);
        }
      }
      expect(refused).toEqual([]);
    },
    PATIENCE,
  );
});

/** Tables are aligned when the page is written. */
function unaligned(markdown: string): string {
  return markdown.replace(/-{3,}/g, '---').replace(/ +/g, ' ');
}
