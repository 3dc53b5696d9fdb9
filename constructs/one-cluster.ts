import { addressPlan, type ClusterAddresses } from '../model/address-plan.js';
import { clusterRole } from '../model/cluster-identity.js';
import type { ClusterField, IClusterSet } from './cluster-set.js';
import { literal, type Expression } from './expressions.js';

/** One cluster. */
export interface OneClusterProps {
  /** 1 to 255; gives the role (`mesh-007`) and, by default, the addresses. */
  readonly number: number;
  /** @default - those of the address plan, `10.<number>.0.0/16` */
  readonly addresses?: ClusterAddresses;
}

/**
 * A set of a single cluster, for apps that describe each cluster by itself: its resources are not
 * keyed.
 *
 * @example
 * new MeshCluster(this, 'west', { clusters: oneCluster({ number: 7 }), resourceGroup, meshName });
 */
export function oneCluster(props: OneClusterProps): IClusterSet {
  const role = literal(clusterRole(props.number));
  const addresses = props.addresses ?? addressPlan(props.number);
  const fields: Partial<Record<ClusterField, Expression>> = {
    number: String(props.number),
    vnet: literal(addresses.vnet),
    nodes: literal(addresses.nodes),
    pods: literal(addresses.pods),
    services: literal(addresses.services),
    dns_service_ip: literal(addresses.dnsServiceIp),
  };
  return {
    map: `{ (${role}) = ${String(props.number)} }`,
    count: '1',
    role,
    field: (name) => fields[name],
    fieldOf: (name) => fields[name],
    // One cluster stays below every ceiling.
    require: () => undefined,
  };
}
