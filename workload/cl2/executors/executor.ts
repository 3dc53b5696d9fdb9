import type { Inventory, InventoryCluster } from '../../../model/inventory.js';
import type { Milliseconds } from '../../../model/quantity.js';
import type { UserError } from '../../../model/user-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import type { FollowedEnd } from '../../platform/followed-process.js';
import type { Cl2Job } from '../generate.js';

/** One run of ClusterLoader2 on one cluster that is to be started. */
export interface Cl2Launch {
  readonly job: Cl2Job;
  readonly cluster: InventoryCluster;
  readonly target: Inventory['target'];
  /** Of its cluster; its access is what ClusterLoader2 gets, too. */
  readonly client: KubeClient;
  /** A folder for its input, beside the report. */
  readonly input: string;
  /** Where its report has to be in the end. */
  readonly report: string;
  /** Private to us, for the kubeconfig. */
  readonly secret: string;
  /** Every line that it says, redacted by whoever takes it. */
  readonly onLine: (line: string) => void;
  /** Ends the starting; what was started is ended by {@link Cl2Execution.stop}. */
  readonly signal: AbortSignal;
}

/** Where it ran was lost, or what it left could not be brought: no ending of its own. */
export interface Cl2Lost {
  readonly state: 'lost';
  readonly error: UserError;
  /** Whether the same again may come out better. */
  readonly retryable: boolean;
}

/** How a run ended. */
export type Cl2End = FollowedEnd | Cl2Lost;

/** A run that is under way. */
export interface Cl2Execution {
  /** Resolves when it is over and its last line was given. */
  readonly ended: Promise<Cl2End>;
  /** Ends it: politely first, and then for good. Resolves when it is gone. */
  stop(): Promise<void>;
  /**
   * Brings the report to where it has to be and removes what is secret. Called once, after the end.
   * Gives what kept the report from coming.
   */
  collect(): Promise<Cl2Lost | undefined>;
}

/** What starting gave. */
export type Cl2Started =
  | { readonly state: 'started'; readonly execution: Cl2Execution }
  | { readonly state: 'refused'; readonly error: UserError };

/** Runs ClusterLoader2 somewhere: as a process here, in a container, inside of the cluster. */
export interface Cl2Executor {
  start(launch: Cl2Launch): Promise<Cl2Started>;
  /**
   * Finds what an earlier runner started for the same launch and has not collected, and follows it:
   * every line is given again from the first one. Undefined when there is none any more.
   * @default - what it starts ends with its runner
   */
  readonly reattach?: (launch: Cl2Launch) => Promise<Cl2Execution | undefined>;
  /** How long it may take until ClusterLoader2 itself begins. @default - at once */
  readonly startBudget?: Milliseconds;
}
