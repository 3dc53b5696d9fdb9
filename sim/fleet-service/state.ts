import type { Milliseconds } from '../../model/quantity.js';
import type { Knobs } from './knobs.js';
import type { Timeline } from './timeline.js';

/** What every stored resource has. */
export interface Stored {
  /** Full id, in the spelling of its first PUT. */
  readonly id: string;
  readonly name: string;
  eTag: string;
  /** Counts writes of the whole service: lists are sorted by it. */
  written: number;
  userWrittenAt: Milliseconds;
  lastOperationId: string;
}

/** A member's place in a mesh. */
export interface StoredMesh {
  readonly profile: StoredProfile;
  readonly ciliumId: number;
  state: 'Connecting' | 'Connected' | 'Disconnecting' | 'Failed';
  updatedAt: Milliseconds;
  readonly since: Milliseconds;
  /** Does not connect however often the mesh is applied; leaving heals. */
  readonly stuck: boolean;
}

/** A member. */
export interface StoredMember extends Stored {
  readonly clusterId: string;
  group: string | undefined;
  labels: Record<string, string>;
  /** Labels as an apply sees them. */
  seenLabels: Readonly<Record<string, string>>;
  provisioningState: string;
  mesh: StoredMesh | undefined;
  /** When it left a mesh, for lists and guards that lag. */
  left: { readonly profile: StoredProfile; readonly at: Milliseconds } | undefined;
}

/** A cluster mesh profile. */
export interface StoredProfile extends Stored {
  selector: string | undefined;
  lastApplied: string | undefined;
  state: 'NotConnected' | 'Applying' | 'Connected' | 'Degraded' | 'Failed';
  /** Counts applies, so that what was planned by an older one does not happen. */
  generation: number;
}

/** A fleet with what it holds, by names in lower case. */
export interface StoredFleet extends Stored {
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly members: Map<string, StoredMember>;
  readonly profiles: Map<string, StoredProfile>;
}

/** Work whose end is asked for. */
export interface StoredOperation {
  readonly id: string;
  readonly startedAt: Milliseconds;
  readonly endsAt: Milliseconds;
  readonly signature: string;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** An AKS cluster, as far as Fleet and we ask for it. */
export interface StoredCluster {
  readonly id: string;
  readonly createdAt: Milliseconds;
  /** Answered for reads from when it has come to rest on. */
  provisioningState: string;
  tags: Readonly<Record<string, string>>;
  /** Further properties that reads give. */
  properties: Readonly<Record<string, unknown>>;
  /** What `listClusterUserCredential` gives. @default - a kubeconfig that leads nowhere */
  kubeconfig?: string;
}

/** One request, when it has been answered. Tests assert on it. */
export interface JournalEntry {
  readonly t: Milliseconds;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number | 'none';
  readonly code?: string | undefined;
  readonly ifMatch?: string | undefined;
}

/** All that the service holds. */
export interface ServiceState {
  readonly knobs: Knobs;
  readonly timeline: Timeline;
  readonly startedAt: Milliseconds;
  readonly fleets: Map<string, StoredFleet>;
  readonly clusters: Map<string, StoredCluster>;
  readonly operations: Map<string, StoredOperation>;
  readonly journal: JournalEntry[];
  /** Things that must never happen. */
  readonly violations: string[];
  writes: number;
  guids: number;
}

/** A GUID that is the same in every run. */
export function nextGuid(state: ServiceState): string {
  state.guids += 1;
  return `0f4c2b9e-1d57-4b1c-9a52-${state.guids.toString(16).padStart(12, '0')}`;
}

/** The eTag after a write now: quoted, its last group begins with the second of the write. @see fleet-api.md §4 */
export function nextETag(state: ServiceState): string {
  state.writes += 1;
  const serial = state.writes.toString(16).padStart(8, '0');
  const second = Math.floor(state.timeline.now() / 1_000).toString(16);
  return `"${serial}-0000-3400-0000-${second}0000"`;
}

/** A write of the service itself. */
export function touch(state: ServiceState, stored: Stored): void {
  stored.eTag = nextETag(state);
  stored.written = state.writes;
}

/** A write that a user asked for. */
export function touchByUser(state: ServiceState, stored: Stored): void {
  touch(state, stored);
  stored.userWrittenAt = state.timeline.now();
  stored.lastOperationId = nextGuid(state);
}
