import { MAX_CLUSTERS } from './cluster-identity.js';

/** The address ranges of one cluster. */
export interface ClusterAddresses {
  readonly vnet: string;
  readonly nodes: string;
  readonly pods: string;
  readonly services: string;
  readonly dnsServiceIp: string;
}

/** Service ranges never leave a cluster, so they are the same in every one. */
const SERVICES = '192.168.0.0/20';
const DNS_SERVICE_IP = '192.168.0.10';

/**
 * The ranges of cluster `number`, the same in every network mode and in the local mesh: one second
 * octet per cluster, so 255 clusters are disjoint by construction.
 */
export function addressPlan(number: number): ClusterAddresses {
  if (!Number.isInteger(number) || number < 1 || number > MAX_CLUSTERS) {
    throw new RangeError(`cluster number ${number} is not in 1…${MAX_CLUSTERS}`);
  }
  return {
    vnet: `10.${number}.0.0/16`,
    nodes: `10.${number}.0.0/22`,
    pods: `10.${number}.16.0/20`,
    services: SERVICES,
    dnsServiceIp: DNS_SERVICE_IP,
  };
}
