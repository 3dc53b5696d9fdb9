import { FLEET_API_VERSION } from '../model/fleet-names.js';
import { INVENTORY_SCHEMA_VERSION } from '../model/inventory.js';
import { Construct, TerraformOutput } from './cdk.js';
import { literal, template, type Expression } from './expressions.js';
import type { FleetMesh } from './fleet-mesh.js';
import type { IMeshClusters } from './mesh-clusters.js';
import type { IMeshNetwork } from './mesh-network.js';

/** What the inventory speaks of. */
export interface InventoryOutputProps {
  readonly meshName: string;
  /** Bare expression of the time at which the mesh was made (RFC 3339). */
  readonly createdAt: Expression;
  readonly clusters: IMeshClusters;
  readonly network: IMeshNetwork;
  /** @default - the clusters are in no Fleet mesh */
  readonly mesh?: FleetMesh;
}

/**
 * The one output `inventory`: everything that the runner has to know of the clusters and nothing
 * else, in the form of model/inventory. No secret is in it: access is fetched when it is needed.
 */
export class InventoryOutput extends Construct {
  constructor(scope: Construct, id: string, props: InventoryOutputProps) {
    super(scope, id);
    const output = new TerraformOutput(this, 'output', {
      description: 'What `meshscale run --target azure` needs to know of the clusters.',
      value: template(inventory(props)),
    });
    output.overrideLogicalId('inventory');
  }
}

function inventory(props: InventoryOutputProps): Expression {
  const { clusters, mesh } = props;
  return object({
    schemaVersion: String(INVENTORY_SCHEMA_VERSION),
    target: '"azure"',
    meshName: literal(props.meshName),
    createdAt: props.createdAt,
    partial: 'false',
    expectedClusters: clusters.clusters.count,
    ...(mesh === undefined ? {} : { fleet: fleet(mesh) }),
    network: object({ mode: literal(props.network.mode) }),
    clusters: `[for role in sort(keys(${clusters.clusters.map})) : ${cluster(clusters)}]`,
  });
}

function fleet(mesh: FleetMesh): Expression {
  return object({
    id: mesh.fleet.fleetId,
    profile: literal(mesh.profile),
    apiVersion: literal(FLEET_API_VERSION),
  });
}

function cluster(clusters: IMeshClusters): Expression {
  const field = (name: 'number' | 'pods' | 'nodes' | 'services') =>
    clusters.clusters.fieldOf(name, 'role');
  return object({
    role: 'role',
    number: field('number') ?? 'tonumber(regex("[0-9]+$", role))',
    kubernetesVersion: clusters.fact('kubernetes_version', 'role'),
    nodes: clusters.fact('nodes', 'role'),
    podCidrs: list(field('pods')),
    nodeCidrs: list(field('nodes')),
    serviceCidrs: list(field('services')),
    podNetwork: literal(clusters.podNetwork),
    datapath: 'true',
    access: object({ kind: '"aks"', resourceId: clusters.clusterId('role') }),
    prometheus: object({ kind: '"in-cluster"' }),
  });
}

function object(fields: Readonly<Record<string, Expression>>): Expression {
  const entries = Object.entries(fields).map(([name, value]) => `${name} = ${value}`);
  return `{ ${entries.join(', ')} }`;
}

function list(value: Expression | undefined): Expression {
  return value === undefined ? '[]' : `[${value}]`;
}
