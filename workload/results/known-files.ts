import { FIXED_MEASUREMENTS } from '../../model/row.js';

/** A file that a fault script or a host-side probe writes beside ClusterLoader2's own. */
export interface KnownFile {
  readonly measurement: string;
  readonly group: string;
  readonly unit: string;
  readonly kind: 'fault' | 'probe';
  /** True when each line is an event of its own. */
  readonly lines: boolean;
}

/** What a file of this name holds, or undefined. @see data/results-schema.md §§1–2 */
export function knownFile(name: string): KnownFile | undefined {
  return EVENTS.test(name) ? KNOWN.find((entry) => entry.pattern.test(name))?.file : undefined;
}

/** What all of them have in their names, and no summary of ClusterLoader2 has. */
const EVENTS = /Timings|\.jsonl$/;

interface Entry {
  readonly pattern: RegExp;
  readonly file: KnownFile;
}

function fault(pattern: RegExp, measurement: string, group: string, unit: string): Entry {
  return { pattern, file: { measurement, group, unit, kind: 'fault', lines: false } };
}

function probe(pattern: RegExp, measurement: string, group: string, unit: string): Entry {
  return { pattern, file: { measurement, group, unit, kind: 'probe', lines: true } };
}

const KNOWN: readonly Entry[] = [
  fault(
    /^ApiserverFailureTimings_.+\.json$/,
    'ApiserverFailureRecoveryTiming',
    'apiserver-failure',
    'seconds',
  ),
  fault(/^IsolationChurnTimings_.+\.json$/, 'IsolationChurnSummary', 'isolation', 'count'),
  fault(/^HAConfigScalingTimings_.+\.json$/, 'HAConfigScalingTiming', 'ha-config', 'seconds'),
  fault(/^NodeChurnTimings_.+\.json$/, 'NodeChurnSummary', 'node-churn', 'seconds'),
  fault(/^LabelChurnTimings_Rung\d+\.json$/, 'LabelChurnTiming', 'upper-bound', 'seconds'),
  probe(/^PropagationTimings\.jsonl$/, FIXED_MEASUREMENTS.propagation, 'propagation-probe', 'ns'),
  probe(/^ConnectivityResults\.jsonl$/, 'ClusterMeshConnectivityProbe', 'propagation-probe', 'ns'),
  probe(/^RemovePropagationTimings\.jsonl$/, FIXED_MEASUREMENTS.removal, 'propagation-probe', 'ns'),
  probe(/^ResilienceTimings\.jsonl$/, 'ClusterMeshRecoveryProbe', 'mesh-recovery-probe', 'ns'),
  probe(
    /-MeshDetachRejoinProbe\.jsonl$/,
    'ClusterMeshDetachRejoinProbe',
    'mesh-detach-rejoin-probe',
    's',
  ),
  probe(
    /-MeshPolicyPropProbe\.jsonl$/,
    'ClusterMeshPolicyPropProbe',
    'mesh-policy-prop-probe',
    'ms',
  ),
  probe(/-MeshFailoverProbe\.jsonl$/, 'ClusterMeshFailoverProbe', 'mesh-failover-probe', 'ms'),
  probe(
    /-MeshRestartSurvivalProbe\.jsonl$/,
    'ClusterMeshRestartSurvivalProbe',
    'mesh-restart-survival-probe',
    'ratio',
  ),
];
