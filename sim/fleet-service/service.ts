import type { FleetClock } from '../../fleet/ports.js';
import { parseJson } from '../../fleet/json.js';
import {
  empty,
  json,
  refusal,
  type Outcome,
  type ServiceAnswer,
  type ServiceRequest,
} from './answers.js';
import { createGuards, type Guard } from './guards.js';
import { recordedBehaviour, type Fault, type Knobs } from './knobs.js';
import { applyMesh } from './mesh-engine.js';
import { operationAnswer } from './operations.js';
import { clusterRoute, credentialRoute, listClusters } from './routes/cluster-routes.js';
import { fleetAbsent, fleetRoute } from './routes/fleet-routes.js';
import { listMembers, listProfiles } from './routes/list-routes.js';
import { memberRoute } from './routes/member-routes.js';
import { placeOf, type Place } from './routes/place.js';
import { applyRoute, profileRoute } from './routes/profile-routes.js';
import type { ServiceState } from './state.js';
import { createTimeline } from './timeline.js';
import { tokenAnswer } from './token-route.js';

/** A fleet service. */
export interface FleetService {
  readonly state: ServiceState;
  /** Answers one request; waits by the service's clock where an answer is slow. */
  handle(request: ServiceRequest): Promise<Outcome>;
  /** Lets happen what is due by the clock. */
  catchUp(): void;
}

/** Makes a service that behaves as recorded, but for what `knobs` say. */
export function createFleetService(clock: FleetClock, knobs: Partial<Knobs> = {}): FleetService {
  const startedAt = clock.now();
  const state: ServiceState = {
    knobs: { ...recordedBehaviour(), ...knobs },
    timeline: createTimeline(startedAt),
    startedAt,
    fleets: new Map(),
    clusters: new Map(),
    operations: new Map(),
    journal: [],
    violations: [],
    writes: 0,
    guids: 0,
  };
  const guards = createGuards(state);
  planForeignWriters(state);
  const catchUp = (): void => {
    state.timeline.advanceTo(clock.now());
  };
  return {
    state,
    catchUp,
    handle: async (request) => {
      const guard = guards(clock.now());
      if (state.knobs.answerMs > 0) await clock.sleep(state.knobs.answerMs);
      const fault = takeFault(state, request);
      if (fault?.kind === 'slow') await clock.sleep(fault.ms ?? SLOW);
      catchUp();
      const outcome = outcomeOf(state, guard, request, fault);
      note(state, request, outcome);
      return outcome;
    },
  };
}

/** A slow answer's time unless its fault says another; chosen. */
const SLOW = 20_000;

/** The first fault that matches and is not used up. */
function takeFault(state: ServiceState, { method, path }: ServiceRequest): Fault | undefined {
  const found = state.knobs.faults.find(
    ({ match, times }) => times > 0 && new RegExp(match, 'i').test(`${method} ${path}`),
  );
  if (found !== undefined) found.times -= 1;
  return found;
}

function outcomeOf(
  state: ServiceState,
  guard: Guard,
  request: ServiceRequest,
  fault: Fault | undefined,
): Outcome {
  if (fault === undefined || fault.kind === 'slow') {
    return { kind: 'answer', answer: answerOf(state, guard, request) };
  }
  // Without an effect a lost answer is the same as a lost request.
  // No guard: the client could not learn of a refusal, so nothing may be held against it.
  const open: Guard = () => undefined;
  const answer = fault.afterEffect === true ? answerOf(state, open, request) : empty(200);
  if (fault.kind === 'truncate') return { kind: 'truncate', answer };
  if (fault.kind !== 'status') return { kind: fault.kind };
  const code = fault.code ?? 'InternalServerError';
  const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
  const document = { error: { code, message: 'A fault that was asked for.' } };
  return { kind: 'answer', answer: { ...json(fault.status ?? 500, document, headers), code } };
}

function answerOf(state: ServiceState, guard: Guard, request: ServiceRequest): ServiceAnswer {
  const login = tokenAnswer(state, request);
  if (login !== undefined) return login;
  return guard(request) ?? route(state, request, placeOf(request.path));
}

function route(state: ServiceState, request: ServiceRequest, place: Place): ServiceAnswer {
  switch (place.kind) {
    case 'fleet':
      return fleetRoute(state, request, place.fleetId);
    case 'operation':
      return operationAnswer(state, request);
    case 'cluster':
      return clusterRoute(state, request, place.clusterId);
    case 'credential':
      return credentialRoute(state, request, place.clusterId);
    case 'clusters':
      return listClusters(state, request, place.scope);
    case 'unknown':
      return refusal(state, 'ResourceNotFound', `Nothing is known at ${request.path}.`);
    case 'members':
    case 'member':
    case 'profiles':
    case 'profile':
    case 'apply':
      return insideFleet(state, request, place);
  }
}

function insideFleet(
  state: ServiceState,
  request: ServiceRequest,
  place: Extract<Place, { kind: 'members' | 'member' | 'profiles' | 'profile' | 'apply' }>,
): ServiceAnswer {
  const fleet = state.fleets.get(place.fleetId.toLowerCase());
  if (fleet === undefined) return request.method === 'DELETE' ? empty(204) : fleetAbsent(state);
  switch (place.kind) {
    case 'members':
      return listMembers(state, request, fleet);
    case 'member':
      return memberRoute(state, request, fleet, place.name);
    case 'profiles':
      return listProfiles(state, request, fleet);
    case 'profile':
      return profileRoute(state, request, fleet, place.name);
    case 'apply':
      return applyRoute(state, request, fleet, place.name);
  }
}

function note(state: ServiceState, request: ServiceRequest, outcome: Outcome): void {
  const answered = 'answer' in outcome ? outcome.answer : undefined;
  state.journal.push({
    t: state.timeline.now(),
    method: request.method,
    path: request.path.replace(/\?.*$/, ''),
    body: request.body === '' ? undefined : parseJson(request.body),
    status: answered?.status ?? 'none',
    code: answered?.code,
    ifMatch: request.headers['if-match'],
  });
}

function planForeignWriters(state: ServiceState): void {
  for (const { afterMs, profile, selector } of state.knobs.foreignWriters) {
    state.timeline.at(state.startedAt + afterMs, () => {
      for (const fleet of state.fleets.values()) {
        const found = fleet.profiles.get(profile);
        if (found === undefined || found.state === 'Applying') continue;
        if (selector !== undefined) found.selector = selector;
        applyMesh(state, fleet, found);
      }
    });
  }
}
