import type { UserError } from '../../../model/user-error.js';
import type { Inventory, InventoryCluster } from '../../../model/inventory.js';
import type { KubeAccess } from '../../kube/kube-client.js';
import type { FollowedEnd } from '../../platform/followed-process.js';
import type { Cl2Job } from '../generate.js';

/** One run of ClusterLoader2 on one cluster that is to be started. */
export interface Cl2Launch {
  readonly job: Cl2Job;
  readonly cluster: InventoryCluster;
  readonly target: Inventory['target'];
  readonly access: KubeAccess;
  /** A folder for its input, beside the report. */
  readonly input: string;
  /** Where its report has to be in the end. */
  readonly report: string;
  /** Private to us, for the kubeconfig. */
  readonly secret: string;
  /** Every line that it says, redacted by whoever takes it. */
  readonly onLine: (line: string) => void;
}

/** A run that is under way. */
export interface Cl2Execution {
  /** Resolves when it is over and its last line was given. */
  readonly ended: Promise<FollowedEnd>;
  /** Ends it: politely first, and then for good. Resolves when it is gone. */
  stop(): Promise<void>;
  /** Brings the report to where it has to be and removes what is secret. Called once, after the end. */
  collect(): Promise<void>;
}

/** Starts ClusterLoader2 somewhere: as a process here, in a container, inside of the cluster. */
export type Cl2Executor = (
  launch: Cl2Launch,
) => Promise<
  | { readonly state: 'started'; readonly execution: Cl2Execution }
  | { readonly state: 'refused'; readonly error: UserError }
>;
