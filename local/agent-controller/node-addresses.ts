import ipaddr from 'ipaddr.js';

/** The addresses that an agent takes for itself out of its node's pod range. */
export interface OwnAddresses {
  /** Of the `cilium_host` device: CiliumInternalIP. */
  readonly internal: string;
  /** Of the health endpoint. */
  readonly health: string;
}

/**
 * The last two host addresses of the node's first IPv4 pod range. An agent takes any two that are
 * free; KWOK gives pods addresses from the front, so these never meet. Undefined without an IPv4
 * range, or when it is too small to spare two.
 */
export function ownAddresses(podCidrs: readonly string[]): OwnAddresses | undefined {
  for (const cidr of podCidrs) {
    if (!ipaddr.IPv4.isValidCIDR(cidr)) continue;
    const [, prefix] = ipaddr.IPv4.parseCIDR(cidr);
    if (prefix > LONGEST_PREFIX) return undefined;
    const broadcast = ipaddr.IPv4.broadcastAddressFromCIDR(cidr).octets;
    return { internal: before(broadcast, 1), health: before(broadcast, 2) };
  }
  return undefined;
}

/** The last octet of a broadcast address of a /29 or larger is at least 7: no borrow. */
function before(broadcast: readonly number[], steps: number): string {
  return [...broadcast.slice(0, 3), (broadcast[3] ?? 0) - steps].join('.');
}

/** Six hosts: two for the agent, some for pods. Ours. */
const LONGEST_PREFIX = 29;
