import type {
  ClusterState,
  FleetMember,
  MemberMesh,
  MeshProfile,
  MeshState,
} from '../fleet-api.js';
import { listAt, numberAt, textAt, textsAt, valueAt } from '../json.js';

/** A member as the service writes it. */
export function parseMember(json: unknown): FleetMember {
  const group = textAt(json, 'properties', 'group');
  return {
    id: textAt(json, 'id') ?? '',
    name: textAt(json, 'name') ?? '',
    clusterId: textAt(json, 'properties', 'clusterResourceId') ?? '',
    labels: textsAt(json, 'properties', 'labels'),
    ...(group === undefined ? {} : { group }),
    eTag: textAt(json, 'eTag'),
    provisioningState: textAt(json, 'properties', 'provisioningState') ?? 'Unknown',
    mesh: parseMesh(valueAt(json, 'properties', 'meshProperties')),
  };
}

/** A profile as the service writes it. */
export function parseProfile(json: unknown): MeshProfile {
  return {
    id: textAt(json, 'id') ?? '',
    name: textAt(json, 'name') ?? '',
    selector: nonEmpty(textAt(json, 'properties', 'memberSelector', 'byLabel')),
    lastApplied: nonEmpty(
      textAt(json, 'properties', 'status', 'lastAppliedMemberSelector', 'byLabel'),
    ),
    state: meshState(textAt(json, 'properties', 'status', 'state')),
  };
}

/** An AKS cluster as the service writes it. */
export function parseCluster(json: unknown): ClusterState {
  const pools = listAt(json, 'properties', 'agentPoolProfiles').map((pool) => [
    textAt(pool, 'name') ?? '?',
    textAt(pool, 'provisioningState') ?? 'Unknown',
  ]);
  return {
    provisioningState: textAt(json, 'properties', 'provisioningState') ?? 'Unknown',
    pools: Object.fromEntries(pools) as Readonly<Record<string, string>>,
  };
}

function parseMesh(json: unknown): MemberMesh | undefined {
  if (json === undefined || json === null) return undefined;
  const code = textAt(json, 'status', 'error', 'code');
  return {
    profileId: textAt(json, 'clusterMeshProfileResourceId') ?? '',
    ciliumId: numberAt(json, 'ciliumProperties', 'id'),
    ciliumName: textAt(json, 'ciliumProperties', 'name'),
    state: textAt(json, 'status', 'state') ?? 'Unknown',
    ...(code === undefined
      ? {}
      : { error: { code, message: textAt(json, 'status', 'error', 'message') ?? '' } }),
  };
}

/** An empty selector selects nobody, as an absent one does. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Enums are open: a word that we don't know counts as in progress; so does the older `Connecting`. */
function meshState(text: string | undefined): MeshState {
  switch (text) {
    case 'NotConnected':
    case 'Connected':
    case 'Degraded':
    case 'Failed':
      return text;
    case undefined:
      return 'NotConnected';
    default:
      return 'Applying';
  }
}
