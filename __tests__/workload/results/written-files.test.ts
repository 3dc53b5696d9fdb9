import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { loadReport } from '../../../workload/report/load-report.js';
import { writeResults } from '../../../workload/report/write-results.js';
import { collectRows } from '../../../workload/results/collect-run.js';
import { foreignFacts } from '../../../workload/results/foreign-folder.js';
import { readRows } from '../../../workload/results/jsonl-store.js';
import { readRun } from '../../../workload/results/read-run.js';
import { SAMPLE_TIMESTAMP, writeSampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOREIGN = join(ROOT, '__tests__/fixtures/reports/foreign');

/** Which schema a file of a run folder has. */
const SCHEMAS: readonly (readonly [RegExp, string])[] = [
  [/^plan\.json$/, 'run-plan'],
  [/^verdict\.json$/, 'verdict'],
  [/^coverage\.json$/, 'coverage'],
  [/^rows\.jsonl$/, 'row'],
  [/^journal\.jsonl$/, 'journal-entry'],
  [/^probes\/(?!probe-floor).+\.jsonl$/, 'probe-line'],
  [/outcome\.json$/, 'attempt-outcome'],
];

const validators = new Map<string, ValidateFunction>();
beforeAll(async () => {
  for (const [, name] of SCHEMAS) {
    const schema = JSON.parse(
      await readFile(join(ROOT, 'schemas', `${name}.json`), 'utf8'),
    ) as object;
    validators.set(
      name,
      new Ajv2020({ validateFormats: false, allowUnionTypes: true }).compile(schema),
    );
  }
}, 60_000);

describe('the files of a run folder', () => {
  it('are as their schemas say, of good and of broken clusters', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good', 'failed', 'missing', 'weak'] });
      await writeResults(root, { timestamp: SAMPLE_TIMESTAMP });
      const { checked, refused } = await validateFolder(root);
      expect(refused).toEqual([]);
      expect(new Set(checked)).toEqual(new Set(SCHEMAS.map(([, name]) => name)));
    });
  });

  it('begin with their version', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good'] });
      await writeResults(root, { timestamp: SAMPLE_TIMESTAMP });
      for (const name of ['plan.json', 'verdict.json', 'coverage.json']) {
        const text = await readFile(join(root, name), 'utf8');
        expect(Object.keys(JSON.parse(text) as object)[0]).toBe('schemaVersion');
      }
    });
  });

  it('are the same for rows of foreign folders', async () => {
    await withTemporaryFolder(async (root) => {
      const facts = await foreignFacts({ path: FOREIGN });
      await collectRows(facts, join(root, 'rows.jsonl'), { timestamp: SAMPLE_TIMESTAMP });
      expect((await validateFolder(root)).refused).toEqual([]);
    });
  });
});

describe('a file of another release', () => {
  it.each(['verdict.json', 'coverage.json'])(
    'fails to be read as %s, with what to do',
    async (name) => {
      await withCollected(async (root) => {
        await spoil(join(root, name), '"schemaVersion": 1', '"schemaVersion": 8');
        await expect(loadReport(root)).rejects.toMatchObject({
          code: 'collect/unknown-version',
          given: 'schemaVersion 8',
          next: `meshscale collect ${root} makes them again from the reports`,
        });
      });
    },
  );

  it('fails its line when it is a row, and costs no other row', async () => {
    await withCollected(async (root) => {
      const file = join(root, 'rows.jsonl');
      await spoil(file, '"meshscale":{"schemaVersion":1', '"meshscale":{"schemaVersion":2');
      const lines = [];
      for await (const line of readRows(file)) lines.push(line);
      expect(lines.filter((line) => !line.ok)).toEqual([
        { ok: false, line: 1, reason: expect.stringContaining('collect the run again') },
      ]);
      expect(lines.length).toBeGreaterThan(5);
    });
  });

  it('is an error of its cluster when it is an outcome', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good'] });
      const outcome = join(root, 'clusters/mesh-001/attempt-1/outcome.json');
      await spoil(outcome, '"schemaVersion":1', '"schemaVersion":5');
      const { facts } = await readRun(root);
      expect(facts.attempts[0]?.outcomeProblem).toContain('read the run with that release');
    });
  });
});

describe('a damaged result file', () => {
  it('fails with the field that is wrong', async () => {
    await withCollected(async (root) => {
      await spoil(join(root, 'verdict.json'), '"runId"', '"runid"');
      await expect(loadReport(root)).rejects.toMatchObject({
        code: 'collect/unreadable',
        problem: expect.stringContaining('runId'),
      });
    });
  });
});

async function withCollected(deed: (root: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (root) => {
    await writeSampleRun(root, { fates: ['good'] });
    await writeResults(root, { timestamp: SAMPLE_TIMESTAMP });
    await deed(root);
  });
}

async function spoil(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

async function validateFolder(root: string) {
  const checked: string[] = [];
  const refused: unknown[] = [];
  for (const file of await readdir(root, { recursive: true })) {
    const name = SCHEMAS.find(([pattern]) => pattern.test(file))?.[1];
    const validate = validators.get(name ?? '');
    if (name === undefined || validate === undefined) continue;
    checked.push(name);
    const text = await readFile(join(root, file), 'utf8');
    const whole = file.endsWith('.json') ? [text] : text.split('\n').filter(isWhole);
    for (const one of whole) {
      if (!validate(JSON.parse(one))) refused.push([file, one.slice(0, 200), validate.errors]);
    }
  }
  return { checked, refused };
}

/** A crash tears the last line of a journal; readers leave it out. */
function isWhole(line: string): boolean {
  return line.endsWith('}');
}
