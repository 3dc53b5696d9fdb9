import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { compareRuns } from '../../../workload/compare/compare-runs.js';
import { directionsOf } from '../../../workload/compare/direction.js';
import { goodRunsBefore } from '../../../workload/compare/find-runs.js';
import { noiseOf } from '../../../workload/compare/noise.js';
import { readSeries, type RunSeries } from '../../../workload/compare/series.js';
import { collectRun, collectRows } from '../../../workload/results/collect-run.js';
import { foreignFacts } from '../../../workload/results/foreign-folder.js';
import { readRun } from '../../../workload/results/read-run.js';
import {
  GOOD_JUNIT,
  queryFile,
  writeFiles,
  type ReportFiles,
} from '../../helpers/report-folders.js';
import { SAMPLE_TIMESTAMP, writeSampleRun, type SampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const QUERY = 'GenericPrometheusQuery A Query_t_2026-05-15T03:00:00Z.json';
const CALLS = 'APIResponsivenessPrometheus_t_2026-05-15T03:00:00Z.json';
const calls = (count: string, value: number) =>
  `{"dataItems":[{"data":{"Perc99":${value}},"unit":"ms","labels":{"Verb":"GET","Count":"${count}"}}]}`;

describe('the series of a run', () => {
  it('join clusters that tools spell differently', async () => {
    const ours = await seriesOf({ [`mesh-007/${QUERY}`]: queryFile('1') });
    const theirs = await seriesOf({ [`mesh-7/${QUERY}`]: queryFile('2') });
    const { changes } = compareRuns(ours, theirs, {
      directions: directionsOf([]),
      noise: noiseOf([]),
      names: new Map(),
    });
    expect(changes).toMatchObject([{ moved: { before: 1, after: 2, pairs: 1 } }]);
  });

  it('hold values of the newest attempt, and counts are no part of their names', async () => {
    const run = await seriesOf({
      [`mesh-1/attempt-1/report/${CALLS}`]: calls('100', 9),
      [`mesh-1/attempt-2/report/${CALLS}`]: calls('120', 5),
    });
    expect([...run.series.values()]).toMatchObject([{ query: 'Perc99', labels: 'Verb=GET' }]);
    expect(valueOf(run)).toBe(5);
  });

  it('name the places that were asked and gave nothing', async () => {
    const run = await seriesOf({
      [`mesh-1/${QUERY}`]: queryFile('1'),
      [`mesh-2/${QUERY}`]: queryFile('NaN'),
    });
    const [series] = run.series.values();
    expect([...(series?.missing ?? [])]).toEqual(['2']);
    expect([...run.clusters]).toEqual(['1', '2']);
  });

  it('take the median of what other tools probed several times, pair by pair', async () => {
    const line = (id: string, delta: number) =>
      `{"probe_id":"${id}","src_cluster":"clustermesh-1","peer_cluster":"clustermesh-2","t_apply_ns":1e18,"delta_first_packet_ms":${delta}}\n`;
    const run = await seriesOf({
      'mesh-1/PropagationTimings.jsonl': line('a', 5) + line('b', 900) + line('c', 7),
    });
    const [series] = run.series.values();
    expect(series?.query).toBe('delta_first_packet_ms');
    expect([...(series?.values ?? [])]).toEqual([['1>2', 7]]);
  });
});

describe('the last good run', () => {
  it('is the newest earlier one that passed, of the same scenario and size', async () => {
    await withTemporaryFolder(async (runs) => {
      const good: SampleRun = { fates: ['good', 'good'] };
      await collected(runs, '1-good', good);
      await collected(runs, '2-good', good);
      await collected(runs, '3-failed', { fates: ['good', 'failed'] });
      await collected(runs, '4-larger', { fates: ['good', 'good', 'good'] });
      await writeFile(join(runs, '5-no-run'), '');
      await collected(runs, '6-this', good);
      await collected(runs, '7-later', good);
      const found = await goodRunsBefore(join(runs, '6-this'));
      expect(found).toEqual([join(runs, '2-good'), join(runs, '1-good')]);
    });
  });
});

async function collected(runs: string, name: string, sample: SampleRun): Promise<void> {
  const path = join(runs, name);
  await writeSampleRun(path, sample);
  const { facts } = await readRun(path);
  await collectRun(path, facts, { timestamp: SAMPLE_TIMESTAMP });
}

async function seriesOf(files: ReportFiles): Promise<RunSeries> {
  const clusters = [...new Set(Object.keys(files).map((path) => path.replace(/\/[^/]+$/, '')))];
  const junits = clusters.map((cluster) => [`${cluster}/junit.xml`, GOOD_JUNIT] as const);
  return await withTemporaryFolder(async (folder) => {
    await writeFiles(folder, { ...Object.fromEntries(junits), ...files });
    const facts = await foreignFacts({ path: folder });
    const file = join(folder, 'rows.jsonl');
    await collectRows(facts, file, { timestamp: SAMPLE_TIMESTAMP });
    return await readSeries(file);
  });
}

function valueOf(run: RunSeries): number | undefined {
  const [series] = run.series.values();
  return series?.values.get('1');
}
