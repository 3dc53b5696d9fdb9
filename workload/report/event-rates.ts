import type { RunPlan } from '../../model/run-plan.js';
import type { ClusterRate } from './charts/event-rate.js';
import type { ReportCluster, ReportValue } from './report-model.js';

/** How many changes of its peers kvstoremesh took in. @see data/measurements.md §5 */
export const EVENTS_MEASUREMENT = 'ClusterMesh Kvstore Events Rate';

/**
 * Changes of all peers that each cluster's kvstoremesh took in per second, the mean over the window
 * of the measurement; nothing where that was not measured.
 */
export function eventRates(
  expected: RunPlan['expected'],
  clusters: readonly ReportCluster[],
  values: readonly ReportValue[],
): readonly ClusterRate[] {
  const planned = expected.find((one) => one.measurement === EVENTS_MEASUREMENT);
  const total = values.find(
    (one) => one.measurement === EVENTS_MEASUREMENT && one.query === 'TotalIncrease',
  );
  if (planned === undefined || total === undefined) return [];
  return clusters.flatMap(({ role, phases }) => {
    const events = total.byCluster.find((one) => one.cluster === role)?.value;
    const first = phases.find((phase) => phase.name === planned.phase);
    const last = phases.find((phase) => phase.name === planned.through);
    if (events === undefined || first === undefined || last === undefined) return [];
    const seconds = (Date.parse(last.end) - Date.parse(first.start)) / 1000;
    return seconds > 0 ? [{ cluster: role, asked: null, achieved: events / seconds }] : [];
  });
}
