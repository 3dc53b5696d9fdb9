import { clusterNumber } from '../../model/cluster-identity.js';
import { FIXED_MEASUREMENTS, type Row } from '../../model/row.js';
import { readRows } from '../results/jsonl-store.js';
import { median } from './median-shift.js';

/** One value of a run over all places where it was measured. */
export interface Series {
  /** Equal in two runs for what may be compared. */
  readonly id: string;
  readonly measurement: string;
  /** Key of the value: `Perc99`. */
  readonly query: string;
  /** What tells it from others of the measurement; '' for most. */
  readonly labels: string;
  readonly phase: string;
  readonly unit: string;
  /** By cluster (`7`) or directed pair (`7>12`): numbers, as other tools spell roles differently. */
  readonly values: ReadonlyMap<string, number>;
  /** Places that were asked and gave no number. */
  readonly missing: ReadonlySet<string>;
}

/** What one run measured, and what is to be known before it is compared. */
export interface RunSeries {
  readonly run: string;
  readonly scenario: string;
  readonly target: string;
  readonly engine: string;
  /** Those that it should have results of, as in {@link Series.values}. */
  readonly clusters: ReadonlySet<string>;
  readonly series: ReadonlyMap<string, Series>;
  /** Lines that were no rows. */
  readonly problems: readonly string[];
}

/** Reads `rows.jsonl` into series: of several attempts the newest, of several values of one place the median. */
export async function readSeries(file: string): Promise<RunSeries> {
  const growing = new Map<string, GrowingSeries>();
  const problems: string[] = [];
  const clusters = new Set<string>();
  let first: Row | undefined;
  for await (const line of readRows(file)) {
    if (!line.ok) {
      problems.push(`line ${line.line}: ${line.reason}`);
      continue;
    }
    const { row } = line;
    first ??= row;
    if (isExpectedCluster(row)) clusters.add(placeName(row.cluster));
    for (const value of valuesOf(row)) add(growing, row, value);
  }
  return {
    run: first?.run_id ?? '',
    scenario: first?.test_type ?? '',
    target: first?.meshscale.target ?? '',
    engine: first?.meshscale.engine ?? '',
    clusters,
    series: new Map([...growing].map(([id, one]) => [id, finished(one)])),
    problems,
  };
}

interface GrowingSeries extends Omit<Series, 'values' | 'missing'> {
  readonly places: Map<string, Sample>;
}

interface Sample {
  readonly attempt: number;
  /** Empty: the place was asked and gave no number. */
  readonly values: number[];
}

interface Value {
  readonly query: string;
  readonly value: number | null;
}

function isExpectedCluster({ measurement, meshscale }: Row): boolean {
  return measurement === FIXED_MEASUREMENTS.clusterStatus && meshscale.state !== 'not-applicable';
}

/** The numbers of a row that say how good something was; none of rows about coverage and status. */
function valuesOf({ meshscale, measurement, result }: Row): readonly Value[] {
  if (meshscale.state === 'not-applicable') return [];
  const data = result['data'];
  if (typeof data !== 'object' || data === null) return [];
  const present = meshscale.state === 'present';
  const numbers = Object.entries(data).flatMap(([query, value]: [string, unknown]) => {
    if (typeof value !== 'number' && value !== null) return [];
    return [{ query, value: present ? value : null }];
  });
  switch (meshscale.kind) {
    case 'measurement':
      return numbers.filter(({ query }) => query !== 'Asked');
    case 'phase':
      return numbers.filter(({ query }) => measurement === STIMULUS && query === 'ratio');
    case 'fault':
      return numbers.filter(({ query }) => SPAN.test(query));
    case 'probe':
      // Our own probes have summary rows; other tools leave only the probes.
      return 'observe' in data ? [] : numbers.filter(({ query }) => SPAN.test(query));
    case 'status':
    case 'coverage':
      return [];
  }
}

const STIMULUS = FIXED_MEASUREMENTS.stimulus;
/** How long something took; other numbers of events are times of day and counters. */
const SPAN = /(_ms|_seconds)$/;

function add(growing: Map<string, GrowingSeries>, row: Row, { query, value }: Value): void {
  const series = seriesOf(growing, row, query);
  const place = placeOf(row);
  const { attempt } = row.meshscale;
  const known = series.places.get(place);
  if (known !== undefined && known.attempt > attempt) return;
  const sample = known?.attempt === attempt ? known : { attempt, values: [] };
  if (value !== null) sample.values.push(value);
  series.places.set(place, sample);
}

function seriesOf(growing: Map<string, GrowingSeries>, row: Row, query: string): GrowingSeries {
  const { measurement, meshscale } = row;
  const [labels, phase, unit] = [labelsOf(row), meshscale.phase ?? '', meshscale.unit];
  const id = JSON.stringify([measurement, query, labels, phase]);
  const known = growing.get(id);
  if (known !== undefined) return known;
  const series = { id, measurement, query, labels, phase, unit, places: new Map<string, Sample>() };
  growing.set(id, series);
  return series;
}

function placeOf({ cluster, meshscale }: Row): string {
  const { source_cluster: source, target_cluster: target } = meshscale;
  if (target === undefined) return placeName(cluster);
  return `${placeName(source ?? cluster)}>${placeName(target)}`;
}

function placeName(role: string): string {
  return String(clusterNumber(role) ?? role);
}

function labelsOf({ result }: Row): string {
  const labels = result['labels'];
  if (typeof labels !== 'object' || labels === null) return '';
  return Object.entries(labels)
    .filter(([name, value]) => !SAID_ELSEWHERE.has(name) && value !== '')
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join(' ');
}

/**
 * ClusterLoader2 hands counts down as labels, which differ in every run; the phase is a field.
 * @see data/clusterloader2.md §4.3
 */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['Count', 'SlowCount', 'Phase']);

function finished({ places, ...series }: GrowingSeries): Series {
  const values = new Map<string, number>();
  const missing = new Set<string>();
  for (const [place, sample] of places) {
    const value = median(sample.values);
    if (value === undefined) missing.add(place);
    else values.set(place, value);
  }
  return { ...series, values, missing };
}
