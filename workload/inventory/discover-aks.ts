import type { Azure } from '../../fleet/connect.js';
import type { CallBounds } from '../../fleet/fleet-api.js';
import { AKS_API_VERSION } from '../../fleet/arm/api-version.js';
import { readAll } from '../../fleet/arm/pages.js';
import { listAt, numberAt, textAt, textsAt } from '../../fleet/json.js';
import { clusterNumber, clusterRole } from '../../model/cluster-identity.js';
import {
  INVENTORY_SCHEMA_VERSION,
  type Inventory,
  type InventoryCluster,
} from '../../model/inventory.js';
import type { Milliseconds } from '../../model/quantity.js';
import { notDiscovered } from './errors.js';
import { networkMode, readNetwork } from './network-mode.js';

/** Where to look, and for what. */
export interface DiscoveryRequest {
  readonly subscription: string;
  /** All of them have to match. */
  readonly tags: Readonly<Record<string, string>>;
  readonly now: Milliseconds;
}

/**
 * The inventory of the AKS clusters that carry the tags. Names and numbers come from the tag
 * `meshscale-role`. A cluster that is missing between the others makes the inventory partial.
 */
export async function discoverClusters(
  azure: Azure,
  request: DiscoveryRequest,
  bounds: CallBounds,
): Promise<Inventory> {
  const { subscription, tags, now } = request;
  const path = `/subscriptions/${subscription}/providers/Microsoft.ContainerService/managedClusters`;
  // One list for all: reading each cluster would be throttled. @see azure-limits.md §2.3
  const url = `${azure.origin}${path}?api-version=${AKS_API_VERSION}`;
  const all = await readAll(url, azure.exchange, bounds);
  const found = all.filter((one) => matches(textsAt(one, 'tags'), tags));
  const meshName = nameOf(found, tags);
  const subnets = subnetReader(azure, bounds);
  const clusters: InventoryCluster[] = [];
  for (const one of found) clusters.push(await clusterOf(one, subnets));
  clusters.sort((one, other) => one.number - other.number);
  refuseTwice(clusters);
  const mode = await networkMode(azure, found.map(nodeSubnetOf), bounds);
  const expectedClusters = Math.max(...clusters.map(({ number }) => number));
  return {
    schemaVersion: INVENTORY_SCHEMA_VERSION,
    target: 'azure',
    meshName,
    createdAt: new Date(now).toISOString(),
    partial: clusters.length < expectedClusters,
    expectedClusters,
    network: { mode },
    clusters,
  };
}

function matches(
  own: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  return (
    own['meshscale'] !== undefined &&
    Object.entries(wanted).every(([name, value]) => own[name] === value)
  );
}

/** Clusters of several meshes are not one mesh. */
function nameOf(found: readonly unknown[], tags: Readonly<Record<string, string>>): string {
  const names = [...new Set(found.map((one) => textAt(one, 'tags', 'meshscale') ?? ''))].sort();
  const [name] = names;
  if (name !== undefined && names.length === 1) return name;
  const asked = Object.entries(tags).map(([key, value]) => `${key}=${value}`);
  if (name === undefined) {
    throw notDiscovered(
      `${['meshscale', ...asked].join(', ')}: no cluster`,
      'AKS clusters that a stack of meshscale has made',
      'look at the subscription (AZURE_SUBSCRIPTION_ID, `az account show`) and at the tags',
    );
  }
  throw notDiscovered(
    `clusters of several meshes: ${names.join(', ')}`,
    'clusters of one mesh',
    `give --tag meshscale=${name}, or another of them`,
  );
}

function nodeSubnetOf(cluster: unknown): string | undefined {
  const [pool] = listAt(cluster, 'properties', 'agentPoolProfiles');
  return textAt(pool, 'vnetSubnetID');
}

type ReadSubnet = (id: string | undefined) => Promise<readonly string[]>;

async function clusterOf(json: unknown, subnets: ReadSubnet): Promise<InventoryCluster> {
  const name = textAt(json, 'name') ?? '';
  const tagged = textAt(json, 'tags', 'meshscale-role') ?? name;
  const number = clusterNumber(tagged);
  if (number === undefined || number < 1 || number > 255) {
    const next = 'correct the tag meshscale-role of this cluster';
    throw notDiscovered(`${name}: role ${tagged}`, 'a role such as mesh-001', next);
  }
  const pools = listAt(json, 'properties', 'agentPoolProfiles');
  const [pool] = pools;
  const overlay = textAt(json, 'properties', 'networkProfile', 'networkPluginMode') === 'overlay';
  const podCidr = textAt(json, 'properties', 'networkProfile', 'podCidr');
  const version = textAt(json, 'properties', 'currentKubernetesVersion');
  const services = textAt(json, 'properties', 'networkProfile', 'serviceCidr');
  return {
    role: clusterRole(number),
    number,
    ...(version === undefined ? {} : { kubernetesVersion: version }),
    nodes: pools.reduce<number>((sum, one) => sum + (numberAt(one, 'count') ?? 0), 0),
    podCidrs:
      overlay && podCidr !== undefined
        ? [podCidr]
        : [...(await subnets(textAt(pool, 'podSubnetID')))],
    nodeCidrs: [...(await subnets(textAt(pool, 'vnetSubnetID')))],
    serviceCidrs: services === undefined ? [] : [services],
    podNetwork: overlay ? 'overlay' : 'flat',
    datapath: true,
    access: { kind: 'aks', resourceId: textAt(json, 'id') ?? '' },
    prometheus: { kind: 'in-cluster' },
  };
}

/** Ranges of a subnet; none when it may not be read, which discovery does not need. */
function subnetReader(azure: Azure, bounds: CallBounds): ReadSubnet {
  return async (id) => {
    if (id === undefined) return [];
    const json = await readNetwork(azure, id, bounds);
    const one = textAt(json, 'properties', 'addressPrefix');
    const several = listAt(json, 'properties', 'addressPrefixes').filter(
      (prefix): prefix is string => typeof prefix === 'string',
    );
    return one === undefined ? several : [one];
  };
}

function refuseTwice(clusters: readonly InventoryCluster[]): void {
  const roles = clusters.map(({ role }) => role);
  const twice = roles.filter((role, index) => roles.indexOf(role) !== index);
  if (twice.length === 0) return;
  throw notDiscovered(
    `several clusters are ${twice.join(', ')}`,
    'one cluster for each role',
    'narrow the search by further tags, or correct the tags',
  );
}
