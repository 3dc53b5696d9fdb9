import { addressPlan } from '../model/address-plan.js';
import { clusterNumber, clusterRoles } from '../model/cluster-identity.js';
import {
  INVENTORY_SCHEMA_VERSION,
  type Inventory,
  type InventoryCluster,
} from '../model/inventory.js';
import type { Milliseconds } from '../model/quantity.js';
import type { EngineName } from './engines/engine-names.js';
import type { MeshPorts, MeshSpec } from './state/mesh-file.js';
import { MESH_ROLE } from './state/paths.js';
import { portOf } from './state/port-plan.js';

/** What an inventory of a local mesh is made from. */
export interface InventoryFacts {
  readonly stateDir: string;
  readonly spec: MeshSpec;
  readonly ports: MeshPorts;
  readonly versions: Readonly<Record<EngineName, string>>;
  readonly createdAt: Milliseconds;
}

/** The inventory of a local mesh: the same value that Terraform gives for a mesh on Azure. */
export function localInventory(facts: InventoryFacts): Inventory {
  return {
    schemaVersion: INVENTORY_SCHEMA_VERSION,
    target: 'local',
    meshName: 'local',
    createdAt: new Date(facts.createdAt).toISOString(),
    partial: false,
    expectedClusters: facts.spec.clusters,
    network: { mode: 'loopback' },
    clusters: clusterRoles(facts.spec.clusters).map((role) => localCluster(role, facts)),
  };
}

function localCluster(role: string, facts: InventoryFacts): InventoryCluster {
  const number = clusterNumber(role) ?? 0;
  const addresses = addressPlan(number);
  return {
    role,
    number,
    ciliumName: role,
    ciliumId: number,
    kubernetesVersion: facts.versions['kube-apiserver'],
    // The mesh's own release; the exporter is of an older one, see `components`.
    ciliumVersion: facts.versions.kvstoremesh,
    components: { ...facts.versions },
    nodes: facts.spec.nodes,
    podCidrs: [addresses.pods],
    nodeCidrs: [addresses.nodes],
    serviceCidrs: [addresses.services],
    podNetwork: 'flat',
    datapath: false,
    access: { kind: 'local', stateDir: facts.stateDir },
    prometheus: {
      kind: 'local',
      url: `http://127.0.0.1:${portOf(facts.ports, MESH_ROLE, 'prometheus')}`,
    },
    mesh: {
      kind: 'etcd',
      endpoint: `https://127.0.0.1:${portOf(facts.ports, role, 'mesh-etcd-client')}`,
    },
  };
}
