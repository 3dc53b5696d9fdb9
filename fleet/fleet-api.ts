import type { Budget } from './budget.js';
import type { Labels } from './labels.js';

/** The time and the signal that a call lives under. */
export interface CallBounds {
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** An error as Azure tells it. */
export interface ServiceError {
  readonly code: string;
  readonly message: string;
}

/** What a member is in its mesh. */
export interface MemberMesh {
  readonly profileId: string;
  /** Chosen by Fleet; 0 or absent when the reconciler skipped the member. */
  readonly ciliumId?: number | undefined;
  /** The name that peers know the cluster by: read, never built. @see fleet-api.md §11 */
  readonly ciliumName?: string | undefined;
  /** `Connecting`, `Connected`, `Disconnecting`, `Failed`, or a word that we don't know. */
  readonly state: string;
  readonly error?: ServiceError | undefined;
}

/** A cluster that belongs to a fleet. */
export interface FleetMember {
  readonly id: string;
  readonly name: string;
  readonly clusterId: string;
  readonly labels: Labels;
  readonly group?: string | undefined;
  readonly eTag?: string | undefined;
  /** Of joining the fleet; says nothing of the mesh. */
  readonly provisioningState: string;
  /** Absent while the member is in no mesh. */
  readonly mesh?: MemberMesh | undefined;
}

/** States of a mesh. An unknown word counts as in progress. @see fleet-api.md §4 */
export type MeshState = 'NotConnected' | 'Applying' | 'Connected' | 'Degraded' | 'Failed';

/** A cluster mesh. */
export interface MeshProfile {
  readonly id: string;
  readonly name: string;
  /** Absent: selects nobody. */
  readonly selector?: string | undefined;
  /** Set when an apply is accepted, not when it is done. */
  readonly lastApplied?: string | undefined;
  readonly state: MeshState;
}

/** An AKS cluster, as far as a fleet needs it. */
export interface ClusterState {
  readonly provisioningState: string;
  /** Of its node pools: name → state. */
  readonly pools: Readonly<Record<string, string>>;
}

/** Why a write was not done, when that is to be expected and the caller knows what to do. */
export type RefusalKind =
  | 'not-final' // an apply is still being worked on
  | 'busy' // something else holds the resource or the cluster
  | 'has-members' // the profile still has members attached
  | 'in-mesh' // the member is still attached
  | 'group-deleting' // its group is being deleted
  | 'not-ready' // Fleet hasn't heard of the new cluster, or the cluster is being changed
  | 'changed-meanwhile' // the eTag is stale
  | 'failed'; // accepted, then the operation ended as Failed

/** How a write ended. Whatever isn't here is thrown as a UserError. */
export type Written<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'absent' }
  | { readonly state: 'refused'; readonly kind: RefusalKind; readonly error: ServiceError };

/** What a member is to be. */
export interface MemberRequest {
  readonly clusterId: string;
  readonly labels: Labels;
  readonly group?: string | undefined;
}

/**
 * Fleet's control plane, as the algorithms need it. Reads give undefined for what is not there.
 * Throttling, faults of the service and lost connections are lived through within the budget of the
 * call; a budget that ends throws `azure/no-answer`, a refusal for good `azure/refused`.
 */
export interface FleetApi {
  fleetExists(bounds: CallBounds): Promise<boolean>;
  member(name: string, bounds: CallBounds): Promise<FleetMember | undefined>;
  members(bounds: CallBounds): Promise<readonly FleetMember[]>;
  /** Members attached to a profile: the applied set. */
  applied(profile: string, bounds: CallBounds): Promise<readonly FleetMember[]>;
  /** Members whose labels match the profile's selector, also those attached elsewhere. */
  selected(profile: string, bounds: CallBounds): Promise<readonly FleetMember[]>;
  /** Creates a member, or joins it anew; waits until that has ended. */
  putMember(
    name: string,
    request: MemberRequest,
    bounds: CallBounds,
  ): Promise<Written<FleetMember>>;
  /** Replaces the whole user map; with `eTag` only when nobody wrote meanwhile. */
  patchLabels(
    name: string,
    labels: Labels,
    bounds: CallBounds,
    eTag?: string,
  ): Promise<Written<FleetMember>>;
  /** Takes a member out of the fleet and waits until it is gone. */
  deleteMember(name: string, bounds: CallBounds): Promise<Written<undefined>>;
  profile(name: string, bounds: CallBounds): Promise<MeshProfile | undefined>;
  putProfile(name: string, selector: string, bounds: CallBounds): Promise<Written<MeshProfile>>;
  /** Accepted is not done: follow the profile's state. */
  apply(profile: string, bounds: CallBounds): Promise<Written<MeshProfile>>;
  deleteProfile(name: string, bounds: CallBounds): Promise<Written<undefined>>;
  /** State of an AKS cluster by its full id. */
  cluster(id: string, bounds: CallBounds): Promise<ClusterState | undefined>;
}
