import { appendFile } from 'node:fs/promises';
import type { MeasurementNote } from '../../model/attempt-outcome.js';
import type { RunPlan } from '../../model/run-plan.js';
import type { Catalogue } from '../measure/catalogue.js';
import { evaluateMeasurements } from '../measure/evaluate.js';
import type { MeasuredValue } from '../measure/measured-value.js';
import type { PrometheusSource } from '../measure/prometheus-source.js';
import type { SeriesSelection } from '../measure/selector.js';
import type { MeasureWindow } from '../measure/target-history.js';
import type { AttemptRecord, PhaseRecord } from './attempt-record.js';

/** The Prometheus that knows one cluster. */
export interface ClusterMetrics {
  readonly source: PrometheusSource;
  readonly selection: SeriesSelection;
}

/** What is evaluated, of which cluster. */
export interface EvaluationRequest {
  readonly plan: RunPlan;
  readonly catalogue: Catalogue;
  readonly record: AttemptRecord;
  /** @default - no Prometheus of this cluster is known */
  readonly metrics?: ClusterMetrics | undefined;
  /** Gets every raw answer, one JSON document a line. */
  readonly rawFile: string;
  readonly signal: AbortSignal;
}

/** The values of one cluster, and why others have none. */
export interface ClusterValues {
  readonly values: readonly MeasuredValue[];
  readonly notes: readonly MeasurementNote[];
}

/** Asks the cluster's Prometheus for every planned measurement over the windows of its phases. */
export async function evaluateCluster(request: EvaluationRequest): Promise<ClusterValues> {
  const { plan, catalogue, record, metrics, rawFile, signal } = request;
  const planned = plan.clusters.find(({ role }) => role === record.cluster);
  const source = metrics === undefined ? undefined : recorded(metrics.source, rawFile);
  const values = await evaluateMeasurements({
    catalogue,
    source,
    selection: metrics?.selection ?? NO_SELECTION,
    measurements: plan.expected,
    cluster: { notApplicable: planned?.notApplicable ?? [] },
    windowOf: ({ phase, through }) => windowOf(record.phases, phase, through),
    signal,
  });
  return { values, notes: notesOf(values) };
}

const NO_SELECTION: SeriesSelection = { matchersOf: () => '' };

/** From the start of the first phase to the end of the last one that took place. */
function windowOf(
  phases: readonly PhaseRecord[],
  first: string,
  through: string,
): MeasureWindow | undefined {
  const from = phases.findIndex(({ name }) => name === first);
  if (from < 0) return undefined;
  const to = phases.findIndex(({ name }) => name === through);
  // An interrupted run never came to `through`: what there is until its end still counts.
  const [begin, end] = [phases[from], phases[to < 0 ? phases.length - 1 : to]];
  if (begin === undefined || end === undefined) return undefined;
  return { start: begin.startedAt, end: end.endedAt };
}

/** Writes down what Prometheus said, as it said it. A full disk must not cost the value itself. */
function recorded(source: PrometheusSource, file: string): PrometheusSource {
  const keep = async (question: object, answer: unknown): Promise<void> => {
    const line = JSON.stringify({ ...question, answer });
    await appendFile(file, `${line}\n`).catch(() => undefined);
  };
  return {
    instant: async (expression, at, signal) => {
      const answer = await source.instant(expression, at, signal);
      await keep({ expression, at }, answer);
      return answer;
    },
    range: async (expression, range, signal) => {
      const answer = await source.range(expression, range, signal);
      await keep({ expression, ...range }, answer);
      return answer;
    },
  };
}

/** One note for each measurement of which no value at all is there. */
function notesOf(values: readonly MeasuredValue[]): readonly MeasurementNote[] {
  const names = [...new Set(values.map(({ metricName }) => metricName))];
  return names.flatMap((measurement) => {
    const own = values.filter(({ metricName }) => metricName === measurement);
    if (own.some(({ state }) => state === 'present')) return [];
    const [first] = own;
    if (first === undefined || first.state === 'present') return [];
    return [{ measurement, state: first.state, reason: first.reason ?? 'no reason was given' }];
  });
}
