import { parseJson, textAt } from '../../../fleet/json.js';
import { selects } from '../../../fleet/labels.js';
import { isFleetName } from '../../../fleet/resource-id.js';
import { empty, json, refusal, type ServiceAnswer, type ServiceRequest } from '../answers.js';
import { profileDocument } from '../documents.js';
import { applyMesh } from '../mesh-engine.js';
import { startOperation } from '../operations.js';
import {
  nextETag,
  nextGuid,
  touchByUser,
  type ServiceState,
  type StoredFleet,
  type StoredProfile,
} from '../state.js';
import { preconditionHolds } from './preconditions.js';

/** `PUT`, `GET`, `DELETE` of a profile. */
export function profileRoute(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
  name: string,
): ServiceAnswer {
  const profile = fleet.profiles.get(name.toLowerCase());
  if (!preconditionHolds(request, profile) && (profile !== undefined || request.method === 'PUT')) {
    return refusal(state, 'PreconditionFailed', 'The eTag is not that of the resource.');
  }
  switch (request.method) {
    case 'GET':
      return profile === undefined
        ? absent(state, name)
        : json(200, profileDocument(profile, state));
    case 'PUT':
      return putProfile(state, request, fleet, name, profile);
    case 'DELETE':
      return profile === undefined ? empty(204) : deleteProfile(state, request, fleet, profile);
    default:
      return empty(405);
  }
}

/** `POST …/apply`. */
export function applyRoute(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
  name: string,
): ServiceAnswer {
  if (request.method !== 'POST') return empty(405);
  const profile = fleet.profiles.get(name.toLowerCase());
  if (profile === undefined) return absent(state, name);
  if (!preconditionHolds(request, profile)) {
    return refusal(state, 'PreconditionFailed', 'The eTag is not that of the resource.');
  }
  if (profile.state === 'Applying' && state.knobs.applyDuringApplying === 'refuse') {
    return notFinal(state, profile);
  }
  const elsewhere = [...fleet.members.values()].filter(
    ({ mesh, seenLabels }) =>
      mesh !== undefined && mesh.profile !== profile && selects(profile.selector, seenLabels),
  );
  if (elsewhere.length > 0 && state.knobs.conflict === 'refuse') {
    const names = elsewhere.map((one) => one.name).join(', ');
    return refusal(state, 'InvalidParameter', `Members of another profile: ${names}.`);
  }
  applyMesh(state, fleet, profile);
  return finished(state, request, json(200, profileDocument(profile, state)));
}

function absent(state: ServiceState, name: string): ServiceAnswer {
  return refusal(state, 'ResourceNotFound', `The profile ${name} was not found.`);
}

function notFinal(state: ServiceState, { name }: StoredProfile): ServiceAnswer {
  return refusal(state, 'ResourceNotFinalState', `The profile ${name} is being applied.`);
}

function putProfile(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
  name: string,
  before: StoredProfile | undefined,
): ServiceAnswer {
  const selector = textAt(parseJson(request.body), 'properties', 'memberSelector', 'byLabel');
  if (!isFleetName(name, 63)) return refusal(state, 'InvalidParameter', `The name ${name} is bad.`);
  if (selector !== undefined && !isSelector(selector)) {
    return refusal(state, 'InvalidParameter', `The selector ${selector} is bad.`);
  }
  if (before?.state === 'Applying' && state.knobs.putDuringApplying === 'refuse') {
    return notFinal(state, before);
  }
  const profile = before ?? newProfile(state, fleet, name);
  profile.selector = selector === '' ? undefined : selector;
  touchByUser(state, profile);
  fleet.profiles.set(name.toLowerCase(), profile);
  return json(before === undefined ? 201 : 200, profileDocument(profile, state));
}

/** At most 512 characters, key=value pairs, no other operator. @see fleet-api.md §3 */
function isSelector(selector: string): boolean {
  return (
    selector.length <= 512 &&
    /^$|^[^=!<>,\s]+=[^=!<>,\s]*(,[^=!<>,\s]+=[^=!<>,\s]*)*$/.test(selector)
  );
}

function newProfile(state: ServiceState, fleet: StoredFleet, name: string): StoredProfile {
  return {
    id: `${fleet.id}/clusterMeshProfiles/${name}`,
    name,
    eTag: nextETag(state),
    written: state.writes,
    userWrittenAt: state.timeline.now(),
    lastOperationId: nextGuid(state),
    selector: undefined,
    lastApplied: undefined,
    state: 'NotConnected',
    generation: 0,
  };
}

function deleteProfile(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
  profile: StoredProfile,
): ServiceAnswer {
  const now = state.timeline.now();
  const lag = state.knobs.deleteGuardLagMs;
  const holds = [...fleet.members.values()].filter(
    ({ mesh, left }) =>
      mesh?.profile === profile || (left?.profile === profile && now < left.at + lag),
  );
  if (profile.state === 'Applying') return notFinal(state, profile);
  if (holds.length > 0 || state.knobs.refuseProfileDeletes > 0) {
    state.knobs.refuseProfileDeletes = Math.max(0, state.knobs.refuseProfileDeletes - 1);
    const text = `The profile ${profile.name} still has members.`;
    return refusal(state, 'CannotDeleteClusterMeshProfileWithMembers', text);
  }
  fleet.profiles.delete(profile.name.toLowerCase());
  return finished(state, request, empty(204));
}

/** Done at once, as recorded; or as the API's description allows, an operation with a `Location`. */
function finished(
  state: ServiceState,
  request: ServiceRequest,
  answer: ServiceAnswer,
): ServiceAnswer {
  if (!state.knobs.asyncWrites) return answer;
  const about = { kind: 'operationresults', onEnd: () => undefined } as const;
  const location = startOperation(state, request, 3_000, about);
  return { ...answer, status: 202, headers: { ...answer.headers, location } };
}
