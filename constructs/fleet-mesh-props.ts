import type { FleetHandler } from './fleet-handler.js';
import type { IFleet } from './fleet.js';
import type { IMeshClusters } from './mesh-clusters.js';
import type { IMeshNetwork } from './mesh-network.js';

/** How clusters are joined to a mesh. */
export interface FleetMeshProps {
  /** Clusters with a flat pod network. */
  readonly clusters: IMeshClusters;
  /** What connects their networks. */
  readonly network: IMeshNetwork;
  /** The fleet they become members of: `new Fleet(…)` or `Fleet.fromFleetAttributes(…)`. */
  readonly fleet: IFleet;
  /** Name of the ClusterMeshProfile. @default 'mesh' */
  readonly profile?: string;
  /**
   * Changing it applies the mesh once more, after somebody changed it by hand: Terraform sees
   * neither labels nor profiles. A template may be given. @default '1'
   */
  readonly revision?: string;
  /** Most time until the mesh is connected, such as `90m`. @default '2h' */
  readonly ensureTimeout?: string;
  /** Most time until a member has left. @default '2h' */
  readonly leaveTimeout?: string;
  /** Most time until the mesh is dissolved. @default '2h' */
  readonly drainTimeout?: string;
  /** The program that does it. @default - the one of this package */
  readonly handler?: FleetHandler;
}
