import { parseJson, textAt, textsAt } from '../../../fleet/json.js';
import { empty, json, refusal, type ServiceAnswer, type ServiceRequest } from '../answers.js';
import { fleetDocument } from '../documents.js';
import { startOperation } from '../operations.js';
import { nextETag, nextGuid, touchByUser, type ServiceState, type StoredFleet } from '../state.js';

/** `PUT`, `GET`, `DELETE` of a fleet. */
export function fleetRoute(
  state: ServiceState,
  request: ServiceRequest,
  fleetId: string,
): ServiceAnswer {
  const fleet = state.fleets.get(fleetId.toLowerCase());
  switch (request.method) {
    case 'GET':
      return fleet === undefined ? fleetAbsent(state) : json(200, fleetDocument(fleet, state));
    case 'PUT':
      return putFleet(state, request, fleetId, fleet);
    case 'DELETE':
      return fleet === undefined ? empty(204) : deleteFleet(state, request, fleet);
    default:
      return empty(405);
  }
}

/** The answer where a fleet is asked for that is not there. */
export function fleetAbsent(state: ServiceState): ServiceAnswer {
  return refusal(state, 'ResourceNotFound', 'The fleet was not found.');
}

/** A fleet that is there without any request: for tests. */
export function seedFleet(
  state: ServiceState,
  fleetId: string,
  about: { readonly location?: string; readonly tags?: Readonly<Record<string, string>> } = {},
): StoredFleet {
  const fleet: StoredFleet = {
    id: fleetId,
    name: fleetId.slice(fleetId.lastIndexOf('/') + 1),
    location: about.location ?? 'eastus2euap',
    tags: about.tags ?? {},
    eTag: nextETag(state),
    written: state.writes,
    userWrittenAt: state.timeline.now(),
    lastOperationId: nextGuid(state),
    members: new Map(),
    profiles: new Map(),
  };
  state.fleets.set(fleetId.toLowerCase(), fleet);
  return fleet;
}

function putFleet(
  state: ServiceState,
  request: ServiceRequest,
  fleetId: string,
  before: StoredFleet | undefined,
): ServiceAnswer {
  const body = parseJson(request.body);
  const location = textAt(body, 'location');
  if (location === undefined) return refusal(state, 'InvalidParameter', 'location is required.');
  const fleet = before ?? seedFleet(state, fleetId, { location, tags: textsAt(body, 'tags') });
  touchByUser(state, fleet);
  const onEnd = (): void => undefined;
  const status = startOperation(state, request, FLEET_TAKES, { kind: 'operations', onEnd });
  const headers = { 'azure-asyncoperation': status };
  return json(before === undefined ? 201 : 200, fleetDocument(fleet, state), headers);
}

/** @see fleet-api.md §14 */
const FLEET_TAKES = 80;

function deleteFleet(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
): ServiceAnswer {
  if (fleet.members.size > 0) {
    return refusal(state, 'Conflict', `The fleet still has ${fleet.members.size} members.`);
  }
  const onEnd = (): void => void state.fleets.delete(fleet.id.toLowerCase());
  const location = startOperation(state, request, state.knobs.leaveFleetMs, {
    kind: 'operationresults',
    onEnd,
  });
  return { ...json(202, fleetDocument(fleet, state)), headers: { location } };
}
