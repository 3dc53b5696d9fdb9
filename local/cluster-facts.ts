import { addressPlan, type ClusterAddresses } from '../model/address-plan.js';
import { clusterNumber, type ClusterRole } from '../model/cluster-identity.js';
import type { ClusterCredentials } from './credentials.js';
import type { EngineName } from './engines/engine-names.js';
import type { MeshPorts, MeshSpec } from './state/mesh-file.js';
import type { ClusterPaths, MeshPaths } from './state/paths.js';
import { portOf, type ClusterPort } from './state/port-plan.js';

/** Programs of the mesh: engines by name, and how our own long-lived parts are started. */
export interface Programs {
  readonly engines: Readonly<Record<EngineName, string>>;
  /** Node and the arguments up to our own hidden command. */
  readonly ourselves: { readonly program: string; readonly args: readonly string[] };
}

/** All that the components of one cluster are built from. */
export interface ClusterFacts {
  readonly role: ClusterRole;
  readonly number: number;
  readonly spec: MeshSpec;
  readonly addresses: ClusterAddresses;
  readonly paths: ClusterPaths;
  readonly mesh: MeshPaths;
  readonly credentials: ClusterCredentials;
  readonly programs: Programs;
  port(purpose: ClusterPort): number;
}

/** Gathers the facts of one cluster. */
export function clusterFacts(
  role: ClusterRole,
  given: {
    readonly spec: MeshSpec;
    readonly ports: MeshPorts;
    readonly mesh: MeshPaths;
    readonly credentials: ClusterCredentials;
    readonly programs: Programs;
  },
): ClusterFacts {
  const number = clusterNumber(role) ?? 0;
  return {
    ...given,
    role,
    number,
    addresses: addressPlan(number),
    paths: given.mesh.cluster(role),
    port: (purpose) => portOf(given.ports, role, purpose),
  };
}
