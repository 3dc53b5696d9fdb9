import type { Milliseconds } from '../../model/quantity.js';
import type { ServiceState, Stored, StoredFleet, StoredMember, StoredProfile } from './state.js';

/** A fleet on the wire. */
export function fleetDocument(fleet: StoredFleet, state: ServiceState): object {
  return common(fleet, 'Microsoft.ContainerService/fleets', state, {
    location: fleet.location,
    tags: fleet.tags,
    properties: {
      provisioningState: 'Succeeded',
      status: { lastOperationId: fleet.lastOperationId },
    },
  });
}

/** A member on the wire: what is absent is left out, never null. */
export function memberDocument(member: StoredMember, state: ServiceState): object {
  const { mesh } = member;
  return common(member, 'Microsoft.ContainerService/fleets/members', state, {
    properties: {
      clusterResourceId: member.clusterId,
      ...(member.group === undefined ? {} : { group: member.group }),
      labels: { ...member.labels, ...serviceLabels(member) },
      provisioningState: member.provisioningState,
      status: { lastOperationId: member.lastOperationId },
      ...(mesh === undefined
        ? {}
        : {
            meshProperties: {
              ciliumProperties: { id: mesh.ciliumId, name: `${member.name}${mesh.ciliumId}` },
              clusterMeshProfileResourceId: mangled(mesh.profile.id, state),
              status: {
                state: mesh.state,
                lastUpdatedAt: instant(mesh.updatedAt, 9),
                ...(mesh.state === 'Failed' ? { error: timeout(member, state) } : {}),
              },
            },
          }),
    },
  });
}

/** A profile on the wire. `provisioningState` says Succeeded whatever happens. */
export function profileDocument(profile: StoredProfile, state: ServiceState): object {
  const { selector, lastApplied } = profile;
  return common(profile, 'Microsoft.ContainerService/fleets/clusterMeshProfiles', state, {
    properties: {
      ...(selector === undefined ? {} : { memberSelector: { byLabel: selector } }),
      provisioningState: 'Succeeded',
      status: {
        ...(lastApplied === undefined
          ? {}
          : { lastAppliedMemberSelector: { byLabel: lastApplied } }),
        lastOperationId: profile.lastOperationId,
        state: profile.state,
      },
    },
  });
}

/** A time as Azure writes it, with 7 or 9 decimals. */
export function instant(at: Milliseconds, decimals: 7 | 9): string {
  return new Date(at).toISOString().replace('Z', `${'0'.repeat(decimals - 3)}Z`);
}

function common(stored: Stored, type: string, state: ServiceState, rest: object): object {
  const at = instant(stored.userWrittenAt, 7);
  return {
    eTag: stored.eTag,
    id: mangled(stored.id, state),
    name: stored.name,
    ...rest,
    systemData: { createdAt: at, createdByType: 'User', lastModifiedAt: at },
    type,
    ...(state.knobs.extraFields ? { zone: null, properties2: { new: [1, { deep: true }] } } : {}),
  };
}

/** Fleet's own labels. @see fleet-api.md §5.1 */
function serviceLabels(member: StoredMember): Record<string, string> {
  const parts = member.clusterId.split('/');
  return {
    'fleet.azure.com/cluster-name': parts[8] ?? '',
    ...(member.group === undefined ? {} : { 'fleet.azure.com/group': member.group }),
    'fleet.azure.com/location': 'eastus2euap',
    'fleet.azure.com/member-name': member.name,
    'fleet.azure.com/resource-group': parts[4] ?? '',
    'fleet.azure.com/subscription-id': parts[2] ?? '',
  };
}

function timeout({ mesh }: StoredMember, { timeline, knobs }: ServiceState): object {
  const waited = timeline.now() - (mesh?.since ?? 0);
  // Judged on a tick: the duration in the text grows in steps.
  const seconds = Math.floor(waited / knobs.failureTickMs) * (knobs.failureTickMs / 1_000) + 2;
  const text = `${Math.floor(seconds / 3_600)}h${Math.floor((seconds % 3_600) / 60)}m${seconds % 60}s`;
  return {
    code: 'ConnectivityTimeout',
    message: `No peers visible to Cilium for ${text} (timeout: 15m0s)`,
  };
}

/** Ids compare without regard to case, so a client must bear them in any. */
function mangled(id: string, { knobs }: ServiceState): string {
  return knobs.caseMangling ? id.toLowerCase() : id;
}
