import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../../model/row.js';
import { foreignFacts } from '../../../workload/results/foreign-folder.js';
import { isRow } from '../../../workload/results/row-check.js';
import { rowLine } from '../../../workload/results/row-line.js';
import { collectClusters } from '../../../workload/results/to-rows.js';
import { mutate } from './mutate.js';
import type { FuzzTarget } from './targets.js';

/**
 * Collects a report folder of which one file is damaged, replaced by a link or a folder, or lost, or
 * beside which an odd one lies. Whatever happens: no throw, only rows that are rows, one status row,
 * and the values of the files that were not touched are all there as before.
 */
export async function collectorTarget(folder: string): Promise<FuzzTarget> {
  const report = join(folder, 'mesh-1');
  mkdirSync(report, { recursive: true });
  for (const [name, text] of FILES) writeFileSync(join(report, name), text);
  const facts = await foreignFacts({ path: folder });
  const collect = () => [...collectClusters(facts, { timestamp: '' })].flatMap(({ rows }) => rows);
  const before = valuesByFile(collect());
  return {
    name: 'collector',
    case: (random) => {
      const [name, text] = FILES[random.integer(0, FILES.length - 1)] ?? ['', ''];
      const odd = damage(report, { name, text, how: random.integer(0, 9) }, random);
      try {
        check(collect(), { before, touched: name });
      } finally {
        for (const one of [name, ...odd])
          rmSync(join(report, one), { force: true, recursive: true });
        writeFileSync(join(report, name), text);
      }
    },
  };
}

/** Gives the names of files that were not there before. */
function damage(
  report: string,
  { name, text, how }: { readonly name: string; readonly text: string; readonly how: number },
  random: Parameters<FuzzTarget['case']>[0],
): readonly string[] {
  const file = join(report, name);
  if (how > 3) writeFileSync(file, mutate(text, random));
  else {
    rmSync(file);
    if (how === 1) symlinkSync('/etc/passwd', file);
    if (how === 2) mkdirSync(file);
    if (how === 3) {
      const other = mutate(name, random).replace(/[/\0]/g, '_').slice(0, 80) || '_';
      if (other !== '.' && other !== '..') writeFileSync(join(report, other), mutate(text, random));
    }
  }
  const known = new Set(FILES.map(([own]) => own));
  return readdirSync(report).filter((own) => !known.has(own));
}

function check(
  rows: readonly Row[],
  { before, touched }: { readonly before: ReadonlyMap<string, string>; readonly touched: string },
): void {
  for (const row of rows) {
    if (!isRow(row) || !isRow(JSON.parse(rowLine(row)))) throw new Error('a row is no row');
  }
  const status = rows.filter(({ measurement }) => measurement === 'ClusterStatus');
  if (status.length !== 1) throw new Error(`${status.length} status rows`);
  const after = valuesByFile(rows);
  for (const [name, values] of before) {
    if (name !== touched && after.get(name) !== values) {
      throw new Error(`${touched} was touched, and ${name} gives other rows`);
    }
  }
}

/** The results of the rows of each file, known by a label or value that only that file has. */
function valuesByFile(rows: readonly Row[]): ReadonlyMap<string, string> {
  const results = rows
    .filter(({ meshscale }) => ['measurement', 'probe', 'fault'].includes(meshscale.kind))
    .map(({ result }) => JSON.stringify(result))
    .sort();
  return new Map(
    FILES.map(([name, , mark]) => [name, results.filter((one) => one.includes(mark)).join('\n')]),
  );
}

const query = (mark: string) =>
  `{"version":"v1","dataItems":[{"data":{"Perc50":1.5,"Perc99":2},"unit":"s","labels":{"of":"${mark}"}},{"data":{"Perc99":3},"unit":"s","labels":{"of":"${mark}","n":"2"}}]}`;

/** Name, text, and what only rows of that file hold. */
const FILES: readonly (readonly [name: string, text: string, mark: string])[] = [
  ['GenericPrometheusQuery One_t_2026-05-15T03:00:01Z.json', query('first'), 'first'],
  ['GenericPrometheusQuery Two_t_2026-05-15T03:00:02Z.json', query('second'), 'second'],
  ['APIResponsivenessPrometheus_t_2026-05-15T03:00:03Z.json', query('third'), 'third'],
  ['SchedulingThroughput_t_2026-05-15T03:00:04Z.json', '{"fourth":7}', 'fourth'],
  [
    'PropagationTimings.jsonl',
    '{"probe_id":"fifth-1","src_cluster":"mesh-1","peer_cluster":"mesh-2","t_apply_ns":1}\n{"probe_id":"fifth-2","src_cluster":"mesh-1","peer_cluster":"mesh-3"}\n',
    'fifth',
  ],
  [
    'junit.xml',
    '<testsuite failures="1"><testcase name="t overall (c)"/><testcase name="t: [step: 1]"><failure>sixth</failure></testcase></testsuite>',
    'sixth',
  ],
  ['generatedConfig_t.yaml', 'name: t\n', 'seventh'],
];
