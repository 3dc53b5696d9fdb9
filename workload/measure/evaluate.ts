import type { PlannedCluster, PlannedMeasurement } from '../../model/run-plan.js';
import type { CataloguedMeasurement, Catalogue } from './catalogue.js';
import { evaluateQuery } from './evaluate-query.js';
import { absent, type Finding, type MeasuredValue } from './measured-value.js';
import type { PrometheusSource } from './prometheus-source.js';
import { rawReader, type RawReader } from './raw-reader.js';
import type { SeriesSelection } from './selector.js';
import type { MeasureWindow } from './target-history.js';

/** What is evaluated for one cluster. */
export interface Evaluation {
  readonly catalogue: Catalogue;
  /** Undefined when no Prometheus of the cluster is known: every value is then `missing`. */
  readonly source: PrometheusSource | undefined;
  readonly selection: SeriesSelection;
  /** `plan.expected`. */
  readonly measurements: readonly PlannedMeasurement[];
  /** The cluster's part of the plan. */
  readonly cluster: Pick<PlannedCluster, 'notApplicable'>;
  /** The time between the start of the first and the end of the last phase; undefined if it never ran. */
  windowOf(measurement: PlannedMeasurement): MeasureWindow | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Every query of every planned measurement for one cluster. Each planned query yields at least one
 * value, whatever Prometheus answers. Measurements of the engine itself are left to it.
 */
export async function evaluateMeasurements(
  evaluation: Evaluation,
): Promise<readonly MeasuredValue[]> {
  const values: MeasuredValue[] = [];
  const readers = new Map<string, RawReader>();
  for (const planned of evaluation.measurements) {
    const spec = evaluation.catalogue.byId.get(planned.id);
    if (spec === undefined || spec.source === 'engine') continue;
    values.push(...(await evaluateOne(evaluation, planned, spec, readers)));
  }
  return values;
}

async function evaluateOne(
  evaluation: Evaluation,
  planned: PlannedMeasurement,
  spec: CataloguedMeasurement,
  readers: Map<string, RawReader>,
): Promise<readonly MeasuredValue[]> {
  const { source, selection, signal } = evaluation;
  const window = evaluation.windowOf(planned);
  const obstacle = obstacleOf(evaluation, planned, window);
  const values: MeasuredValue[] = [];
  for (const query of spec.queries) {
    const findings =
      obstacle !== undefined || source === undefined || window === undefined
        ? [obstacle ?? absent('missing', 'there is nothing to ask')]
        : await evaluateQuery(query, {
            reader: readerFor(readers, { source, selection, signal }, spec, window),
            source: spec.source,
            selection,
            window,
            scale: spec.scale ?? 1,
          });
    const named = findings.map((finding) => nameValue(finding, planned, spec, query.name));
    values.push(...named.map((value) => ({ ...value, window: window ?? NO_WINDOW })));
  }
  return values;
}

/** What stands in the way before anything is asked. */
function obstacleOf(
  { cluster, source }: Evaluation,
  { id, phase }: PlannedMeasurement,
  window: MeasureWindow | undefined,
): Finding | undefined {
  const impossible = cluster.notApplicable.find((entry) => entry.id === id);
  if (impossible !== undefined) return absent('not-applicable', impossible.reason);
  if (window === undefined) return absent('missing', `the phase ${phase} did not take place`);
  if (source === undefined) return absent('missing', 'no Prometheus of this cluster is known');
  return undefined;
}

/** Measurements of one component and window share their raw samples. */
function readerFor(
  readers: Map<string, RawReader>,
  access: Parameters<typeof rawReader>[0],
  { source }: CataloguedMeasurement,
  window: MeasureWindow,
): RawReader {
  const key = `${source} ${window.start} ${window.end}`;
  const known = readers.get(key);
  if (known !== undefined) return known;
  const reader = rawReader(access, source, window);
  readers.set(key, reader);
  return reader;
}

function nameValue(
  finding: Finding,
  planned: PlannedMeasurement,
  spec: CataloguedMeasurement,
  query: string,
): Omit<MeasuredValue, 'window'> {
  return {
    measurement: spec.id,
    metricName: spec.metricName,
    group: spec.group,
    query,
    phase: planned.phase,
    ...finding,
    unit: spec.unit,
    direction: spec.direction,
    expectedSeries: planned.series,
  };
}

const NO_WINDOW: MeasureWindow = { start: 0, end: 0 };
