import type { Milliseconds } from '../../model/quantity.js';
import type { ObjectSetting } from '../native/objects.js';
import type { Cl2Measurement, StartOrGather } from './config-api.js';
import type { DeploymentVersion } from './object-templates.js';
import type { AskedMeasurement } from './query-steps.js';

/** A measurement with the phases of its window. */
export interface WindowedMeasurement extends AskedMeasurement {
  readonly first: string;
  readonly last: string;
}

/** What the steps of a phase are made from. */
export interface PhaseSetting extends ObjectSetting {
  /** The most time for anything of this run. */
  readonly budget: Milliseconds;
  /** The Deployments as the phase before left them; a phase that changes them says so. */
  readonly versions: { current: DeploymentVersion };
  /** Asked of ClusterLoader2's own Prometheus. */
  readonly prometheus: readonly WindowedMeasurement[];
  readonly podStartup: WindowedMeasurement | undefined;
  readonly measurementOf: (asked: AskedMeasurement, action: StartOrGather) => Cl2Measurement;
}
