import type { Milliseconds } from '../../model/quantity.js';

/** A fault for requests whose `METHOD /path?query` matches. */
export interface Fault {
  /** Source of a regular expression, without regard to case. */
  readonly match: string;
  /** How many requests it hits. */
  times: number;
  readonly kind: 'status' | 'reset' | 'hang' | 'truncate' | 'slow';
  /** For `status`. @default 500 */
  readonly status?: number;
  /** For `status`. @default InternalServerError */
  readonly code?: string;
  /** Seconds, or an HTTP date. @default - no such header */
  readonly retryAfter?: string;
  /** For `slow`. @default 20 s */
  readonly ms?: Milliseconds;
  /** The request is done before its answer is lost. @default false */
  readonly afterEffect?: boolean;
}

/** A token bucket, as ARM's. @see fleet-api.md §9 */
export interface Throttle {
  readonly size: number;
  readonly refillPerSecond: number;
  readonly retryAfterSeconds: number;
}

/** Another client that works on the same profile. */
export interface ForeignWriter {
  readonly afterMs: Milliseconds;
  readonly profile: string;
  /** @default - the selector stays */
  readonly selector?: string;
}

/** All that can be set. Times are milliseconds of the service's own clock. @see fleet-api.md §16 */
export interface Knobs {
  /** Joining the fleet. */
  joinMs: Milliseconds;
  /** Leaving the fleet. */
  leaveFleetMs: Milliseconds;
  /** From apply to `Connected`. */
  connectMs: Milliseconds;
  /** Member documents trail the profile by so much, spread over the members. */
  documentLagMs: readonly [Milliseconds, Milliseconds];
  /** A connected member's way out of the mesh, and a failed one's. */
  leaveMs: Milliseconds;
  leaveFailedMs: Milliseconds;
  /** From apply to `Failed`. */
  failedAfterMs: Milliseconds;
  /** Failed members are rewritten so often. */
  failureTickMs: Milliseconds;
  /** Apply, PATCH and DELETE of a profile answer 202 with a `Location`. */
  asyncWrites: boolean;
  /** HTTP status of codes whose status was never published. */
  statusFor: Record<string, number>;
  throttle: Throttle | undefined;
  faults: Fault[];
  /** How far the applied list is behind the truth. */
  listLagMs: { join: Milliseconds; leave: Milliseconds };
  /** How far refusals of deletions are behind the truth. */
  deleteGuardLagMs: Milliseconds;
  applyNeverEnds: boolean;
  /** Labels count for an apply only after so long. */
  applyLabelLagMs: Milliseconds;
  /** Of more members than that which join in one apply, the others get stuck. */
  stallAfter: number | undefined;
  skipMembers: readonly string[];
  noConnectivity: readonly string[] | 'all';
  /** Members without connectivity are told to be connected. */
  falseConnected: boolean;
  failedToConnectedAfterMs: Milliseconds | undefined;
  idOrder: 'lowest' | 'shuffled';
  /** Fleet learns of a cluster so long after it was made. */
  clusterUnseenMs: Milliseconds;
  /** A cluster is `Updating` for so long after it was made. */
  clusterUpdatingMs: Milliseconds;
  failJoins: readonly string[];
  putDuringApplying: 'allow' | 'refuse';
  applyDuringApplying: 'refuse' | 'accept';
  conflict: 'refuse' | 'skip';
  /** So many deletions of a profile are refused for members that are not there. */
  refuseProfileDeletes: number;
  pageSize: number;
  reorderDuringPaging: boolean;
  longUrls: boolean;
  strictSignature: boolean;
  rejectOldApiVersion: boolean;
  /** How long tokens of the service's own login are good. */
  tokenLifetimeMs: Milliseconds;
  /** From then on, counted from the service's start, the group is being deleted. */
  groupDeletingAtMs: Milliseconds | undefined;
  foreignWriters: ForeignWriter[];
  extraFields: boolean;
  caseMangling: boolean;
  /** Every answer takes so long. */
  answerMs: Milliseconds;
}

/** What was recorded. @see fleet-api.md §§14, 16 */
export function recordedBehaviour(): Knobs {
  return { ...recordedTimes(), ...nothingUnusual() };
}

type Times =
  | 'joinMs'
  | 'leaveFleetMs'
  | 'connectMs'
  | 'documentLagMs'
  | 'leaveMs'
  | 'leaveFailedMs'
  | 'failedAfterMs'
  | 'failureTickMs'
  | 'tokenLifetimeMs';

function recordedTimes(): Pick<Knobs, Times> {
  return {
    joinMs: 7_000,
    leaveFleetMs: 10_000,
    connectMs: 120_000,
    documentLagMs: [10_000, 25_000],
    leaveMs: 30_000,
    leaveFailedMs: 5_000,
    failedAfterMs: 967_000,
    failureTickMs: 300_000,
    tokenLifetimeMs: 3_600_000,
  };
}

function nothingUnusual(): Omit<Knobs, Times> {
  return {
    asyncWrites: false,
    statusFor: {},
    throttle: undefined,
    faults: [],
    listLagMs: { join: 0, leave: 0 },
    deleteGuardLagMs: 0,
    applyNeverEnds: false,
    applyLabelLagMs: 0,
    stallAfter: undefined,
    skipMembers: [],
    noConnectivity: [],
    falseConnected: false,
    failedToConnectedAfterMs: undefined,
    idOrder: 'lowest',
    clusterUnseenMs: 0,
    clusterUpdatingMs: 0,
    failJoins: [],
    putDuringApplying: 'allow',
    applyDuringApplying: 'refuse',
    conflict: 'refuse',
    refuseProfileDeletes: 0,
    pageSize: 100,
    reorderDuringPaging: false,
    longUrls: true,
    strictSignature: true,
    rejectOldApiVersion: true,
    groupDeletingAtMs: undefined,
    foreignWriters: [],
    extraFields: false,
    caseMangling: false,
    answerMs: 0,
  };
}
