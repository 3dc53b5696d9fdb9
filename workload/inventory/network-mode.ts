import type { Azure } from '../../fleet/connect.js';
import type { CallBounds } from '../../fleet/fleet-api.js';
import { listAt, parseJson, textAt } from '../../fleet/json.js';
import { userErrorsOf } from '../../model/user-error.js';

/**
 * How clusters are connected, as far as it can be seen: in one VNet, or by peerings of the first VNet with
 * all others. Otherwise `unknown`: a Virtual Network Manager shows in neither.
 *
 * @param subnets - ids of the subnets of nodes, one for each cluster
 */
export async function networkMode(
  azure: Pick<Azure, 'origin' | 'exchange'>,
  subnets: readonly (string | undefined)[],
  bounds: CallBounds,
): Promise<'shared-vnet' | 'peering' | 'unknown'> {
  const vnets = new Map(subnets.map((id) => [vnetOf(id).toLowerCase(), vnetOf(id)]));
  if (subnets.length < 2 || vnets.has('')) return 'unknown';
  if (vnets.size === 1) return 'shared-vnet';
  const [first, ...others] = [...vnets.keys()];
  const path = `${vnets.get(first ?? '') ?? ''}/virtualNetworkPeerings`;
  const peers = listAt(await readNetwork(azure, path, bounds), 'value')
    .filter(isConnected)
    .map((one) => textAt(one, 'properties', 'remoteVirtualNetwork', 'id')?.toLowerCase());
  return others.every((vnet) => peers.includes(vnet)) ? 'peering' : 'unknown';
}

/**
 * A resource of the network by its path; undefined when it is not there or may not be read, which
 * discovery does not need.
 */
export async function readNetwork(
  { origin, exchange }: Pick<Azure, 'origin' | 'exchange'>,
  path: string,
  bounds: CallBounds,
): Promise<unknown> {
  const url = `${origin}${path}?api-version=${NETWORK_API_VERSION}`;
  try {
    const { answer, meaning } = await exchange({ method: 'GET', url }, bounds);
    return meaning.kind === 'good' ? parseJson(answer.body) : undefined;
  } catch (error) {
    if (userErrorsOf(error).some(({ code }) => code === 'azure/refused')) return undefined;
    throw error;
  }
}

/** For reading subnets and peerings; stable, any would do. */
const NETWORK_API_VERSION = '2024-05-01';

function isConnected(peering: unknown): boolean {
  return textAt(peering, 'properties', 'peeringState') === 'Connected';
}

function vnetOf(subnetId: string | undefined): string {
  return /^(.*\/virtualNetworks\/[^/]+)\/subnets\//i.exec(subnetId ?? '')?.[1] ?? '';
}
