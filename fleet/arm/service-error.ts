import type { RefusalKind, ServiceError } from '../fleet-api.js';
import { listAt, parseJson, textAt, valueAt } from '../json.js';
import type { HttpAnswer } from '../ports.js';

/** What to do about an answer. */
export type AnswerClass =
  | { readonly kind: 'good' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'renew-token'; readonly error: ServiceError }
  | { readonly kind: 'throttled'; readonly error: ServiceError }
  | { readonly kind: 'transient'; readonly error: ServiceError }
  | { readonly kind: 'expected'; readonly refusal: RefusalKind; readonly error: ServiceError }
  | { readonly kind: 'refused'; readonly error: ServiceError };

/**
 * Classifies an answer: by the error's code first, by status second, since the status of many codes
 * was never published. @see fleet-api.md §9
 */
export function classify(answer: HttpAnswer): AnswerClass {
  const { status } = answer;
  if (status < 400) return { kind: 'good' };
  const errors = errorsIn(parseJson(answer.body));
  const error = errors[0] ?? { code: `HTTP ${status}`, message: answer.body.slice(0, 200) };
  if (status === 429) return { kind: 'throttled', error };
  for (const one of errors) {
    const known = EXPECTED[one.code];
    if (known !== undefined) return { kind: 'expected', refusal: known, error: one };
    const classified = BY_CODE[one.code];
    if (classified !== undefined) return { kind: classified, error: one };
  }
  return byStatus(status, error);
}

/** The error of a document, innermost first: the decisive code is sometimes inside `details`. */
export function errorsIn(json: unknown): readonly ServiceError[] {
  const error = valueAt(json, 'error') ?? json;
  const code = textAt(error, 'code');
  const inner = listAt(error, 'details').flatMap(errorsIn);
  if (code === undefined) return inner;
  return [...inner, { code, message: textAt(error, 'message') ?? '' }];
}

const EXPECTED: Readonly<Record<string, RefusalKind>> = {
  ResourceNotFinalState: 'not-final',
  AnotherOperationInProgress: 'busy',
  OperationNotAllowed: 'busy',
  Conflict: 'busy',
  CannotDeleteClusterMeshProfileWithMembers: 'has-members',
  MemberBelongsToClusterMesh: 'in-mesh',
  ResourceGroupBeingDeleted: 'group-deleting',
  DependentResourceNotFound: 'not-ready',
  ManagedClusterNotInExpectedState: 'not-ready',
  PreconditionFailed: 'changed-meanwhile',
};

const BY_CODE: Readonly<Record<string, 'absent' | 'renew-token' | 'throttled' | 'transient'>> = {
  ResourceNotFound: 'absent',
  NotFound: 'absent',
  ResourceGroupNotFound: 'absent',
  ParentResourceNotFound: 'absent',
  ExpiredAuthenticationToken: 'renew-token',
  InvalidAuthenticationToken: 'renew-token',
  TooManyRequests: 'throttled',
  SubscriptionRequestsThrottled: 'throttled',
  InternalServerError: 'transient',
  ServiceUnavailable: 'transient',
  ServerTimeout: 'transient',
  RetryableError: 'transient',
  GatewayTimeout: 'transient',
};

function byStatus(status: number, error: ServiceError): AnswerClass {
  if (status === 401) return { kind: 'renew-token', error };
  if (status === 404) return { kind: 'absent' };
  if (status === 409) return { kind: 'expected', refusal: 'busy', error };
  if (status === 412) return { kind: 'expected', refusal: 'changed-meanwhile', error };
  if (status === 408 || status >= 500) return { kind: 'transient', error };
  return { kind: 'refused', error };
}
