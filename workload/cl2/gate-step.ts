import type { Milliseconds } from '../../model/quantity.js';
import { OBJECT_CONVENTIONS } from '../../model/object-conventions.js';
import type { Cl2Step } from './config-api.js';
import { goDuration } from './go-duration.js';

/** Where ClusterLoader2 waits until the runner says that all clusters may go on. */
export interface Gate {
  /** `burst` before a phase, `burst-end` before its gathers. */
  readonly name: string;
  /** The most that it may have to wait. */
  readonly timeout: Milliseconds;
}

/**
 * The step of a gate. It waits for a condition of one Service, which the runner sets through the same
 * API server: that works alike for a process here, a container, and a Job inside the cluster, and
 * needs nothing of the image. Conditions and not labels, because images of 2025 count an object only
 * by its conditions. ClusterLoader2 watches, so waiting costs the API server nothing.
 */
export function gateStep(gate: Gate, setting: { readonly runId: string }): Cl2Step {
  return {
    name: gateStepName(gate.name),
    measurements: [
      {
        method: 'WaitForGenericK8sObjects',
        identifier: `gate-${gate.name}`,
        params: {
          objectGroup: '',
          objectVersion: 'v1',
          objectResource: 'services',
          namespaceRange: { min: 1, max: 1 },
          labelSelector: gateSelector(setting.runId),
          successfulConditions: [`${gateCondition(gate.name)}=True`],
          minDesiredObjectCount: 1,
          timeout: goDuration(gate.timeout),
          refreshInterval: goDuration(LOOK_EVERY),
        },
      },
    ],
  };
}

/** The name of a gate's step. */
export function gateStepName(gate: string): string {
  return `${gate} gate`;
}

/** The type of the condition that opens a gate. */
export function gateCondition(gate: string): string {
  return `meshscale.gate.${gate}`;
}

/** Selects the one Service of a run that carries the conditions. */
export function gateSelector(runId: string): string {
  return `${OBJECT_CONVENTIONS.runLabel}=${runId},${GATE_LABEL}=${GATE_VALUE}`;
}

/** Marks the Service of the gates. */
export const GATE_LABEL = 'meshscale/gate';
/** The value of {@link GATE_LABEL}. */
export const GATE_VALUE = 'phases';

/** Ours: the skew that a look at ClusterLoader2's own cache adds to a barrier; it costs no request. */
const LOOK_EVERY: Milliseconds = 50;
