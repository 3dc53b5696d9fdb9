import type { PerSecond } from '../../model/quantity.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';
import type { Cl2TuningSet } from './config-api.js';

/** As fast as the API server takes it. */
export const UNPACED = 'unpaced';

/** The tuning set of a rate. */
export function tuningSetName(rate: PerSecond | undefined): string {
  return rate === undefined ? UNPACED : `rate-${String(rate).replace('.', '-')}`;
}

/** The tuning sets that the phases of a scenario name, each once. */
export function tuningSets(phases: readonly ScenarioPhase[]): readonly Cl2TuningSet[] {
  const rates = new Set(phases.flatMap(({ rate }) => rate ?? []));
  return [
    { name: UNPACED, parallelismLimitedLoad: { parallelismLimit: AT_ONCE } },
    ...[...rates].map((qps) => ({ name: tuningSetName(qps), qpsLoad: { qps } })),
  ];
}

/** Ours: what the native engine keeps under way is eight times as much; one client takes 100/s here. */
const AT_ONCE = 16;
