import { refusal, json, type ServiceAnswer, type ServiceRequest } from './answers.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { Knobs } from './knobs.js';
import type { ServiceState } from './state.js';
import { queryOf } from './routes/list-routes.js';

/** What keeps a request from being looked at: token, version, group, throttle. */
export type Guard = (request: ServiceRequest) => ServiceAnswer | undefined;

interface Bucket {
  tokens: number;
  at: Milliseconds;
  /** When it refused last, and until when it said to wait. */
  closedAt: Milliseconds;
  closedUntil: Milliseconds;
}

/** Makes the guard of one service, for requests by when they came: an answer may be slow. */
export function createGuards(state: ServiceState): (arrivedAt: Milliseconds) => Guard {
  const buckets = new Map<string, Bucket>();
  return (arrivedAt) => (request) =>
    checkToken(state, request) ??
    checkThrottle(state, request, buckets, arrivedAt) ??
    checkVersion(state, request) ??
    checkGroup(state, request);
}

/** A token of the service's own login says when it ends; any other is taken. */
function checkToken(state: ServiceState, request: ServiceRequest): ServiceAnswer | undefined {
  const token = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1];
  if (token === undefined) {
    return refusal(state, 'InvalidAuthenticationToken', 'The request has no token.');
  }
  const until = /^fleet-service-(\d+)$/.exec(token)?.[1];
  if (until === undefined || state.timeline.now() < Number(until)) return undefined;
  return refusal(state, 'ExpiredAuthenticationToken', 'The token has expired.');
}

function checkVersion(state: ServiceState, request: ServiceRequest): ServiceAnswer | undefined {
  const version = queryOf(request).get('api-version');
  if (version === null) {
    return refusal(state, 'MissingApiVersionParameter', 'api-version is required.');
  }
  const fleet = /\/fleets\//i.test(request.path);
  if (!fleet || !state.knobs.rejectOldApiVersion || WITH_MESH.includes(version)) return undefined;
  return refusal(state, 'InvalidApiVersionParameter', `${version} has no cluster meshes.`);
}

/** @see fleet-api.md §2 */
const WITH_MESH: readonly string[] = ['2026-03-02-preview', '2026-06-02-preview'];

function checkGroup(state: ServiceState, request: ServiceRequest): ServiceAnswer | undefined {
  const from = state.knobs.groupDeletingAtMs;
  if (from === undefined || state.timeline.now() < state.startedAt + from) return undefined;
  return request.method === 'GET'
    ? refusal(state, 'ResourceGroupNotFound', 'The resource group was not found.')
    : refusal(state, 'ResourceGroupBeingDeleted', 'The resource group is being deleted.');
}

function checkThrottle(
  state: ServiceState,
  request: ServiceRequest,
  buckets: Map<string, Bucket>,
  arrivedAt: Milliseconds,
): ServiceAnswer | undefined {
  const { throttle } = state.knobs;
  if (throttle === undefined) return undefined;
  const now = state.timeline.now();
  const kind = kindOf(request.method);
  const bucket = buckets.get(kind) ?? {
    tokens: throttle.size,
    at: now,
    closedAt: 0,
    closedUntil: 0,
  };
  buckets.set(kind, bucket);
  bucket.tokens = refilled(bucket, now, throttle);
  bucket.at = now;
  // One that was sent together with the refused one could not know of it; and a sum of fractions of a
  // millisecond may be a hair less than the whole.
  if (arrivedAt > bucket.closedAt && arrivedAt < bucket.closedUntil - 1) {
    state.violations.push(
      `${request.method} ${request.path.replace(/\?.*/, '')} before Retry-After`,
    );
  }
  if (bucket.tokens >= 1 && now >= bucket.closedUntil) {
    bucket.tokens -= 1;
    return undefined;
  }
  bucket.closedAt = now;
  bucket.closedUntil = now + throttle.retryAfterSeconds * 1_000;
  const error = { code: 'TooManyRequests', message: 'The request was throttled.' };
  const headers = { 'retry-after': String(throttle.retryAfterSeconds) };
  return { ...json(429, { error }, headers), code: error.code };
}

function kindOf(method: string): 'reads' | 'writes' | 'deletes' {
  if (method === 'GET') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
}

function refilled(
  bucket: { readonly tokens: number; readonly at: number },
  now: number,
  throttle: NonNullable<Knobs['throttle']>,
): number {
  const fresh = ((now - bucket.at) / 1_000) * throttle.refillPerSecond;
  return Math.min(throttle.size, bucket.tokens + fresh);
}
