import type { ClusterRate } from './charts/event-rate.js';
import type { ReportCeiling, ReportLimiter, ReportValue } from './report-model.js';

/**
 * What each rate-limited stage between clusters did, beside what its limiter lets through. Both are
 * operations on etcd per second, so they can be compared; the engine's own rate (Deployments per
 * second) cannot. A stage that was not measured is left out.
 */
export function limiterRates(
  ceiling: ReportCeiling | undefined,
  values: readonly ReportValue[],
): readonly ReportLimiter[] {
  return STAGES.flatMap(({ stage, measurement }) => {
    const own = values.filter((one) => one.measurement === measurement);
    const rates = ratesOf(own);
    return rates.length === 0 ? [] : [{ stage, rates, limit: limitOf(stage, ceiling) }];
  });
}

/** @see measurements/clustermesh-metrics.yaml */
const STAGES = [
  { stage: 'exporter', measurement: 'ClusterMesh Exporter Operation Rate' },
  { stage: 'kvstoremesh', measurement: 'ClusterMesh Kvstore Operation Rate' },
] as const;

function ratesOf(values: readonly ReportValue[]): readonly ClusterRate[] {
  const byQuery = (query: string) =>
    new Map(
      (values.find((one) => one.query === query)?.byCluster ?? []).map(
        ({ cluster, value }) => [cluster, value] as const,
      ),
    );
  const [means, peaks] = [byQuery('Mean'), byQuery('Max')];
  return [...means].map(([cluster, achieved]) => ({
    cluster,
    asked: null,
    achieved,
    peak: peaks.get(cluster),
  }));
}

function limitOf(
  stage: ReportLimiter['stage'],
  ceiling: ReportCeiling | undefined,
): number | undefined {
  return stage === 'exporter' ? ceiling?.exporterPerSecond : ceiling?.kvstoremeshPerSecond;
}
