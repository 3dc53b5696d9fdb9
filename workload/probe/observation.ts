import type { ClusterRole } from '../../model/cluster-identity.js';
import type { ProbeKind } from './probe-plan.js';
import type { ProbeOutcome } from './run-probe.js';

/** One probe, what was observed of it, and by whom. */
export interface Observation {
  readonly outcome: ProbeOutcome;
  readonly observe: ProbeKind;
  readonly peer: ClusterRole;
}
