import type { Milliseconds } from '../../../model/quantity.js';
import { empty, json, refusal, type ServiceAnswer, type ServiceRequest } from '../answers.js';
import type { ServiceState, StoredCluster } from '../state.js';

/** AKS, as far as Fleet and we ask for it: reads, lists, credentials. */
export function clusterRoute(
  state: ServiceState,
  request: ServiceRequest,
  clusterId: string,
): ServiceAnswer {
  if (request.method !== 'GET') return empty(405);
  const cluster = state.clusters.get(clusterId.toLowerCase());
  if (cluster === undefined) return clusterAbsent(state, clusterId);
  return json(200, clusterDocument(cluster, state));
}

/** `GET …/managedClusters` of a subscription or a group. */
export function listClusters(
  state: ServiceState,
  request: ServiceRequest,
  scope: string,
): ServiceAnswer {
  if (request.method !== 'GET') return empty(405);
  const inside = [...state.clusters.values()].filter(({ id }) =>
    id.toLowerCase().startsWith(`${scope.toLowerCase()}/`),
  );
  return json(200, { value: inside.map((one) => clusterDocument(one, state)) });
}

/** `POST …/listClusterUserCredential`. */
export function credentialRoute(
  state: ServiceState,
  request: ServiceRequest,
  clusterId: string,
): ServiceAnswer {
  if (request.method !== 'POST') return empty(405);
  const cluster = state.clusters.get(clusterId.toLowerCase());
  if (cluster === undefined) return clusterAbsent(state, clusterId);
  const text = cluster.kubeconfig ?? `apiVersion: v1\nkind: Config\n# of ${clusterId}\n`;
  const value = Buffer.from(text).toString('base64');
  return json(200, { kubeconfigs: [{ name: 'clusterUser', value }] });
}

/** Makes a cluster known. */
export function seedCluster(
  state: ServiceState,
  id: string,
  about: Partial<Omit<StoredCluster, 'id' | 'createdAt'>> = {},
): StoredCluster {
  const cluster: StoredCluster = {
    id,
    createdAt: state.timeline.now(),
    provisioningState: 'Succeeded',
    tags: {},
    properties: {},
    ...about,
  };
  state.clusters.set(id.toLowerCase(), cluster);
  return cluster;
}

/** When a cluster was made. One that nobody has told us of was made when it is spoken of first. */
export function createdAt(state: ServiceState, clusterId: string): Milliseconds {
  return (state.clusters.get(clusterId.toLowerCase()) ?? seedCluster(state, clusterId)).createdAt;
}

function clusterDocument(cluster: StoredCluster, state: ServiceState): object {
  const age = state.timeline.now() - cluster.createdAt;
  const updating = age < state.knobs.clusterUpdatingMs;
  const provisioningState = updating ? 'Updating' : cluster.provisioningState;
  return {
    id: cluster.id,
    name: cluster.id.slice(cluster.id.lastIndexOf('/') + 1),
    type: 'Microsoft.ContainerService/ManagedClusters',
    location: 'eastus2euap',
    tags: cluster.tags,
    properties: {
      provisioningState,
      agentPoolProfiles: [{ name: 'default', provisioningState: 'Succeeded', count: 2 }],
      ...cluster.properties,
    },
  };
}

function clusterAbsent(state: ServiceState, clusterId: string): ServiceAnswer {
  return refusal(state, 'ResourceNotFound', `The cluster ${clusterId} was not found.`);
}
