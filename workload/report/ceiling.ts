import type { MeshRates } from '../../model/run-plan.js';
import type { ReportCeiling } from './report-model.js';

/**
 * The most changes per second that every cluster can export at once for ever:
 * λ_max = min(exporter rate, kvstoremesh rate ÷ (N−1)). @see data/mesh-model.md §4
 */
export function ceilingOf(
  rates: MeshRates | undefined,
  clusters: number,
): ReportCeiling | undefined {
  if (rates === undefined || clusters < 2) return undefined;
  const { exporterPerSecond, kvstoremeshPerSecond } = rates;
  const share = kvstoremeshPerSecond / (clusters - 1);
  return {
    perSecond: Math.min(exporterPerSecond, share),
    exporterPerSecond,
    kvstoremeshPerSecond,
    binding: exporterPerSecond <= share ? 'exporter' : 'kvstoremesh',
  };
}
