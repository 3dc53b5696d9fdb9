import type { Inventory, InventoryCluster } from '../../model/inventory.js';
import type { Cl2Outcome } from '../../model/cl2-outcome.js';
import type { KubeClient } from '../kube/kube-client.js';
import type { ObjectSetting } from '../native/objects.js';
import type { WorkloadWatch } from '../native/workload-watch.js';
import type { Clock } from '../platform/clock.js';
import type { Cl2Execution, Cl2Executor } from './executors/executor.js';
import type { GateControl } from './gate-control.js';
import type { Cl2Job } from './generate.js';
import type { LogTail } from './log-tail.js';
import type { ReadCl2Report } from './outcome.js';
import type { RunningCl2 } from './run-until.js';

/** What ClusterLoader2 needs on one cluster. */
export interface Cl2EngineOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly cluster: InventoryCluster;
  readonly target: Inventory['target'];
  readonly objects: ObjectSetting;
  readonly job: Cl2Job;
  readonly executor: Cl2Executor;
  /** Go on with what an earlier runner of the same attempt started, if it is there. @default false */
  readonly reattach?: boolean | undefined;
  /** Folders: its input, its report, and one that is private to us. */
  readonly places: { readonly input: string; readonly report: string; readonly secret: string };
  readonly readReport: ReadCl2Report;
  /** A line for the attempt's log. */
  readonly log: (line: string) => void;
  /** Told once, when it is known how ClusterLoader2 ended. */
  readonly onOutcome: (outcome: Cl2Outcome) => void;
}

/** An engine at work on one cluster. */
export interface EngineState extends RunningCl2 {
  readonly options: Cl2EngineOptions;
  readonly watch: WorkloadWatch;
  readonly gates: GateControl;
  readonly tail: LogTail;
  execution: Cl2Execution | undefined;
  outcome: Cl2Outcome | undefined;
}
