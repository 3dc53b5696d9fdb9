import { badCl2Flag } from './errors.js';

/**
 * Who keeps the time series of a run. `own`: ClusterLoader2 deploys its stack into the cluster and its
 * measurements ask it. `existing`: a Prometheus that is there already (of the user, or of the local
 * mesh) is asked by us after the run, because no flag of ClusterLoader2 points at one.
 * @see data/clusterloader2.md §2.8
 */
export type PrometheusMode = 'own' | 'existing';

/** Reads `--prometheus`. Without it nothing is deployed unasked: what the inventory names is asked. */
export function parsePrometheusMode(flag: string | undefined): PrometheusMode {
  if (flag === undefined || flag === 'own' || flag === 'existing') return flag ?? 'existing';
  throw badCl2Flag(`--prometheus ${flag}`, 'own or existing');
}
