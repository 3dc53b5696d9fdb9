import type { ServiceState } from './state.js';

/** A request as it arrived. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Where the service is reached, for the addresses that it hands out. */
  readonly origin: string;
}

/** An answer. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The error's code, for the journal. */
  readonly code?: string | undefined;
}

/** What comes back: an answer, half of one, or nothing. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: ServiceAnswer }
  | { readonly kind: 'truncate'; readonly answer: ServiceAnswer }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' };

/** An answer with a document. */
export function json(
  status: number,
  document: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(document),
  };
}

/** An answer without one. */
export function empty(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  return { status, headers, body: '' };
}

/** Statuses that were not published; the bracketed ones of the contract. @see fleet-api.md §9 */
const STATUS: Readonly<Record<string, number>> = {
  DependentResourceNotFound: 404,
  ManagedClusterNotInExpectedState: 400,
  ResourceNotFinalState: 409,
  MemberBelongsToClusterMesh: 409,
  CannotDeleteClusterMeshProfileWithMembers: 409,
  ResourceGroupBeingDeleted: 409,
  PreconditionFailed: 412,
  ResourceNotFound: 404,
  ResourceGroupNotFound: 404,
  ParentResourceNotFound: 404,
  InvalidParameter: 400,
  InvalidApiVersionParameter: 400,
  MissingApiVersionParameter: 400,
  InvalidAuthenticationToken: 401,
  ExpiredAuthenticationToken: 401,
  TooManyRequests: 429,
  Conflict: 409,
};

/** A refusal. */
export function refusal(
  state: ServiceState,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  const status = state.knobs.statusFor[code] ?? STATUS[code] ?? 400;
  return { ...json(status, { error: { code, message } }, headers), code };
}

/** An answer to give instead of going on. */
export function isAnswer(value: object): value is ServiceAnswer {
  return 'status' in value && 'headers' in value && 'body' in value;
}
