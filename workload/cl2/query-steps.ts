import type { VerdictRule } from '../../model/scenario-spec.js';
import type { MeasurementQuery } from '../../model/measurement-spec.js';
import type { CataloguedMeasurement } from '../measure/catalogue.js';
import { inClusterSelection, renderExpression } from '../measure/selector.js';
import type {
  Cl2Measurement,
  GenericQuery,
  GenericQueryPart,
  StartOrGather,
} from './config-api.js';

/** A measurement together with the series that each cluster must have for it. */
export interface AskedMeasurement {
  readonly spec: CataloguedMeasurement;
  readonly series: number;
}

/** A measurement of the catalogue as ClusterLoader2 takes it in its own Prometheus. */
export function promMeasurement(
  asked: AskedMeasurement,
  action: StartOrGather,
  rules: readonly VerdictRule[],
): Cl2Measurement {
  const { spec } = asked;
  if (spec.method === 'APIResponsivenessPrometheus') {
    const params = { action, enableViolations: false, useSimpleLatencyQuery: true } as const;
    return { method: 'APIResponsivenessPrometheus', identifier: spec.id, params };
  }
  const params = genericQuery(asked, action, rules);
  return { method: 'GenericPrometheusQuery', identifier: spec.id, params };
}

function genericQuery(
  { spec, series }: AskedMeasurement,
  action: StartOrGather,
  rules: readonly VerdictRule[],
): GenericQuery {
  const queries = spec.queries.flatMap((query) => queryParts(query, { spec, series }, rules));
  const dimensions = [...new Set(spec.queries.flatMap(({ by }) => by ?? []))];
  return {
    action,
    metricName: spec.metricName,
    metricVersion: 'v1',
    unit: spec.unit,
    // Without it thresholds are decoration; with it and without thresholds nothing changes but this:
    // a query that gives several series is told, and not only its first one kept.
    enableViolations: true,
    ...(dimensions.length === 0 ? {} : { dimensions }),
    queries,
  };
}

/**
 * A rule of the verdict becomes a threshold, which also needs a sample: without one, a bound that was
 * never looked at would pass. Other queries may stay empty; coverage judges them. One bound a query,
 * so a query with two bounds is judged by the verdict for the second.
 */
function queryParts(
  query: MeasurementQuery,
  { spec: { id, source, scale }, series }: AskedMeasurement,
  rules: readonly VerdictRule[],
): readonly GenericQueryPart[] {
  const target = { selection: inClusterSelection, source, window: '%v', scale };
  const part = { name: query.name, query: finite(renderExpression(query, target)) };
  const rule = rules.find(
    (one) => one.rule === 'value' && one.measurement === id && one.query === query.name,
  );
  if (rule?.rule !== 'value') return [part];
  const samples = series === 0 ? {} : ({ requireSamples: true } as const);
  if (rule.atMost !== undefined) return [{ ...part, threshold: rule.atMost, ...samples }];
  if (rule.atLeast === undefined) return [part];
  return [{ ...part, threshold: rule.atLeast, lowerBound: true, ...samples }];
}

/**
 * ClusterLoader2 cannot write an infinite value and then loses the whole file. The comparison drops
 * it, and NaN as well. @see data/clusterloader2.md §3.2
 */
function finite(expression: string): string {
  return `(${expression}) < Inf`;
}
