import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collectRun } from '../../../workload/results/collect-run.js';
import { readRun } from '../../../workload/results/read-run.js';
import { answerCsv, answerDocument, answerTable } from '../../../workload/store/answer-text.js';
import { NAMED_QUERIES } from '../../../workload/store/named-queries.js';
import { openStore } from '../../../workload/store/open-store.js';
import { ROW_COLUMNS } from '../../../workload/store/row-columns.js';
import type { Answer, Database } from '../../../workload/store/database.js';
import { SAMPLE_TIMESTAMP, writeSampleRun, type SampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const GOOD: SampleRun = { fates: ['good', 'good', 'good'], probesPerPair: 2 };
const MIXED: SampleRun = { fates: ['good', 'failed', 'missing', 'weak'], probesPerPair: 2 };

describe('the rows of runs', () => {
  it('are all there, under the columns that the docs name', async () => {
    await withRuns({ a: GOOD, b: MIXED }, async (runs) => {
      const lines = await Promise.all(['a', 'b'].map((name) => linesOf(join(runs, name))));
      const { columns, records } = await asked(runs, 'SELECT * FROM rows');
      expect(records).toHaveLength(lines.flat().length);
      expect(columns).toEqual(ROW_COLUMNS.map(({ name }) => name));
    });
  });

  it('lose nothing to Parquet: what is read from it is what the lines say', async () => {
    await withRuns({ a: MIXED }, async (runs) => {
      const sql = 'SELECT * FROM rows ORDER BY key, attempt';
      const made = await asked(runs, sql);
      const parquet = join(runs, 'a', 'rows.parquet');
      const again = await asked(runs, sql);
      expect((await stat(parquet)).size).toBeGreaterThan(0);
      expect(again).toEqual(made);
      const lines = await linesOf(join(runs, 'a'));
      const keys = lines.map(
        (line) => (JSON.parse(line) as { meshscale: { key: string } }).meshscale.key,
      );
      expect(new Set(made.records.map((record) => record.at(-1)))).toEqual(new Set(keys));
    });
  });

  it('are read anew when they were collected anew, and when the Parquet file is damaged', async () => {
    await withRuns({ a: GOOD }, async (runs) => {
      const count = async () => (await asked(runs, 'SELECT count(*) FROM rows')).records[0]?.[0];
      const before = Number(await count());
      const rows = join(runs, 'a', 'rows.jsonl');
      const [first = ''] = await linesOf(join(runs, 'a'));
      await appendFile(rows, `${first}\n{"cut off`);
      await utimes(rows, new Date(), new Date(Date.now() + 5_000));
      expect(await count()).toBe(before + 1);
      await writeFile(join(runs, 'a', 'rows.parquet'), 'no parquet');
      expect(await count()).toBe(before + 1);
    });
  });

  it('can be asked where nothing may be written', async () => {
    await withRuns({ a: GOOD }, async (runs) => {
      const rows = await readFile(join(runs, 'a', 'rows.jsonl'));
      await mkdir(join(runs, 'b', 'rows.parquet'), { recursive: true });
      await writeFile(join(runs, 'b', 'rows.jsonl'), rows);
      await chmod(join(runs, 'b'), 0o500);
      const { records } = await asked(join(runs, 'b'), 'SELECT count(*) FROM rows');
      await chmod(join(runs, 'b'), 0o700);
      expect(records[0]?.[0]).toBe((await linesOf(join(runs, 'a'))).length);
    });
  });

  it('fail to be found where there are none', async () => {
    await withTemporaryFolder(async (folder) => {
      await expect(openStore(folder)).rejects.toMatchObject({ code: 'store/no-runs' });
    });
  });

  it('fail with what the database says about SQL that is wrong', async () => {
    await withRuns({ a: GOOD }, async (runs) => {
      await expect(asked(runs, 'SELECT nothing FROM rows')).rejects.toMatchObject({
        code: 'store/bad-sql',
        problem: expect.stringContaining('nothing'),
      });
    });
  });

  it('may lie in a folder with quotes in its name', async () => {
    await withRuns({ "it's": GOOD }, async (runs) => {
      expect((await asked(runs, 'SELECT DISTINCT scenario FROM rows')).records).toEqual([
        ['first-look'],
      ]);
    });
  });
});

describe('a ready query', () => {
  const opened: { store?: Database } = {};
  beforeAll(async () => {
    await withRuns({ b: MIXED }, async (runs) => {
      // The lines are in memory of the database before the folder goes.
      const store = await openStore(runs);
      await store.run('CREATE TABLE kept AS SELECT * FROM rows');
      await store.run('CREATE OR REPLACE VIEW rows AS SELECT * FROM kept');
      opened.store = store;
    });
  });
  afterAll(() => opened.store?.close());
  const answer = async (name: string): Promise<Answer> => {
    const sql = NAMED_QUERIES.find((one) => one.name === name)?.sql ?? '';
    return (await opened.store?.ask(sql)) ?? { columns: [], records: [] };
  };

  it.each(NAMED_QUERIES.map(({ name }) => name))('%s can be asked', async (name) => {
    expect((await answer(name)).columns.length).toBeGreaterThan(1);
  });

  it('gives the answers that the sample has', async () => {
    expect((await answer('runs')).records).toMatchObject([
      [expect.any(String), 'first-look', 'local', 4, 4, 1, 0, 3],
    ]);
    const failed = (await answer('failures')).records.map((record) => record[1]);
    expect(failed).toEqual(['mesh-002', 'mesh-003', 'mesh-004']);
    const load = (await answer('load')).records.map((record) => [record[1], record.at(-1)]);
    expect(load[0]).toEqual(['mesh-004', 56]);
    expect((await answer('not-valid')).records.length).toBeGreaterThan(0);
    expect((await answer('propagation')).records.length).toBeGreaterThan(0);
    expect((await answer('not-measured')).records.length).toBeGreaterThan(0);
    expect((await answer('slow-calls')).records[0]?.[1]).toBe('POST');
  });
});

describe('an answer', () => {
  const answer: Answer = {
    columns: ['name', 'value'],
    records: [
      ['a "quoted", text\nof lines', 1.5],
      [null, { x: 1 }],
    ],
  };

  it('is a table with one line for each record', () => {
    expect(answerTable(answer).split('\n')).toHaveLength(4);
    expect(answerTable({ columns: ['n'], records: [[5], [50]] })).toBe(' n\n 5\n50\n(2 rows)');
  });

  it('is CSV that other programs read', () => {
    expect(answerCsv(answer)).toBe(
      'name,value\r\n"a ""quoted"", text\nof lines",1.5\r\n,"{""x"":1}"',
    );
  });

  it('is a document for programs', () => {
    expect(answerDocument(answer)).toMatchObject({ schemaVersion: 1, rows: [{ value: 1.5 }, {}] });
  });
});

async function asked(folder: string, sql: string): Promise<Answer> {
  const store = await openStore(folder);
  try {
    return await store.ask(sql);
  } finally {
    store.close();
  }
}

async function linesOf(run: string): Promise<readonly string[]> {
  return (await readFile(join(run, 'rows.jsonl'), 'utf8')).trimEnd().split('\n');
}

async function withRuns<T>(
  samples: Readonly<Record<string, SampleRun>>,
  use: (runs: string) => Promise<T>,
): Promise<T> {
  return await withTemporaryFolder(async (root) => {
    for (const [name, sample] of Object.entries(samples)) {
      const path = join(root, 'made');
      await writeSampleRun(path, sample);
      const { facts } = await readRun(path);
      await collectRun(path, facts, { timestamp: SAMPLE_TIMESTAMP });
      await rename(path, join(root, name));
    }
    return await use(root);
  });
}
