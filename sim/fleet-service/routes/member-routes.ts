import { parseJson, textAt, textsAt, valueAt } from '../../../fleet/json.js';
import { isFleetName } from '../../../fleet/resource-id.js';
import {
  empty,
  isAnswer,
  json,
  refusal,
  type ServiceAnswer,
  type ServiceRequest,
} from '../answers.js';
import { memberDocument } from '../documents.js';
import { startOperation } from '../operations.js';
import {
  nextETag,
  touch,
  touchByUser,
  type ServiceState,
  type StoredFleet,
  type StoredMember,
  type StoredOperation,
} from '../state.js';
import { createdAt } from './cluster-routes.js';
import { preconditionHolds } from './preconditions.js';

/** `PUT`, `GET`, `PATCH`, `DELETE` of a member. */
export function memberRoute(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
  name: string,
): ServiceAnswer {
  const member = fleet.members.get(name.toLowerCase());
  const absent = (): ServiceAnswer =>
    refusal(state, 'ResourceNotFound', `The member ${name} was not found.`);
  const stale = !preconditionHolds(request, member);
  if (stale && (member !== undefined || request.method === 'PUT')) {
    return refusal(state, 'PreconditionFailed', 'The eTag is not that of the resource.');
  }
  switch (request.method) {
    case 'GET':
      return member === undefined ? absent() : json(200, memberDocument(member, state));
    case 'PUT':
      return putMember(state, request, fleet, name, member);
    case 'PATCH':
      return member === undefined ? absent() : patchMember(state, request, member);
    case 'DELETE':
      return member === undefined ? empty(204) : deleteMember(state, request, fleet, member);
    default:
      return empty(405);
  }
}

/** A member that is there without any request: for tests. */
export function seedMember(
  state: ServiceState,
  fleet: StoredFleet,
  name: string,
  about: { readonly clusterId: string; readonly labels?: Readonly<Record<string, string>> },
): StoredMember {
  const labels = { ...about.labels };
  createdAt(state, about.clusterId); // what is a member is a cluster
  const member: StoredMember = {
    id: `${fleet.id}/members/${name}`,
    name,
    clusterId: about.clusterId,
    group: undefined,
    labels,
    seenLabels: labels,
    provisioningState: 'Succeeded',
    eTag: nextETag(state),
    written: state.writes,
    userWrittenAt: state.timeline.now(),
    lastOperationId: '',
    mesh: undefined,
    left: undefined,
  };
  fleet.members.set(name.toLowerCase(), member);
  return member;
}

function putMember(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
  name: string,
  before: StoredMember | undefined,
): ServiceAnswer {
  const body = parseJson(request.body);
  const clusterId = textAt(body, 'properties', 'clusterResourceId');
  const problem = checkPut(state, name, clusterId, before);
  if (problem !== undefined) return problem;
  const member = before ?? seedMember(state, fleet, name, { clusterId: clusterId ?? '' });
  member.group = textAt(body, 'properties', 'group');
  setLabels(state, member, textsAt(body, 'properties', 'labels'));
  member.provisioningState = before === undefined ? 'Joining' : 'Updating';
  touchByUser(state, member);
  const error = state.knobs.failJoins.includes(name) ? JOIN_FAILED : undefined;
  const status = startOperation(state, request, state.knobs.joinMs, {
    kind: 'operations',
    error,
    onEnd: () => {
      if (fleet.members.get(name.toLowerCase()) !== member) return;
      member.provisioningState = error === undefined ? 'Succeeded' : 'Failed';
      touch(state, member);
    },
  });
  const headers = { 'azure-asyncoperation': status };
  return json(before === undefined ? 201 : 200, memberDocument(member, state), headers);
}

const JOIN_FAILED: NonNullable<StoredOperation['error']> = {
  code: 'ManagedClusterNotInExpectedState',
  message: 'The managed cluster cannot be joined in its state.',
};

function checkPut(
  state: ServiceState,
  name: string,
  clusterId: string | undefined,
  before: StoredMember | undefined,
): ServiceAnswer | undefined {
  if (!isFleetName(name, 50)) return refusal(state, 'InvalidParameter', `The name ${name} is bad.`);
  if (clusterId === undefined) {
    return refusal(state, 'InvalidParameter', 'properties.clusterResourceId is required.');
  }
  if (before !== undefined && before.clusterId.toLowerCase() !== clusterId.toLowerCase()) {
    return refusal(state, 'InvalidParameter', 'properties.clusterResourceId cannot be changed.');
  }
  if (before?.provisioningState === 'Leaving') {
    return refusal(state, 'Conflict', `The member ${name} is leaving.`);
  }
  const age = state.timeline.now() - createdAt(state, clusterId);
  if (age < state.knobs.clusterUnseenMs) {
    return refusal(state, 'DependentResourceNotFound', `The cluster ${clusterId} was not found.`);
  }
  if (age < state.knobs.clusterUpdatingMs) {
    return refusal(state, 'ManagedClusterNotInExpectedState', 'The cluster is Updating.');
  }
  return undefined;
}

function patchMember(
  state: ServiceState,
  request: ServiceRequest,
  member: StoredMember,
): ServiceAnswer {
  const body = parseJson(request.body);
  const group = textAt(body, 'properties', 'group');
  if (group !== undefined) member.group = group;
  // The map is replaced, not merged; left out it stays. @see fleet-api.md §5.2
  if (valueAt(body, 'properties', 'labels') !== undefined) {
    setLabels(state, member, textsAt(body, 'properties', 'labels'));
  }
  touchByUser(state, member);
  if (!state.knobs.asyncWrites) return json(200, memberDocument(member, state));
  const about = { kind: 'operationresults', onEnd: () => undefined } as const;
  const location = startOperation(state, request, 4_000, about);
  return json(202, memberDocument(member, state), { location, 'retry-after': '20' });
}

function setLabels(
  state: ServiceState,
  member: StoredMember,
  labels: Record<string, string>,
): void {
  member.labels = Object.fromEntries(
    Object.entries(labels).filter(([key]) => !key.startsWith('fleet.azure.com/')),
  );
  const seen = member.labels;
  const lag = state.knobs.applyLabelLagMs;
  if (lag === 0) member.seenLabels = seen;
  else {
    state.timeline.at(state.timeline.now() + lag, () => {
      if (member.labels === seen) member.seenLabels = seen;
    });
  }
}

function deleteMember(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
  member: StoredMember,
): ServiceAnswer {
  const guard = checkDelete(state, member);
  if (guard !== undefined && isAnswer(guard)) return guard;
  member.provisioningState = 'Leaving';
  touchByUser(state, member);
  const location = startOperation(state, request, state.knobs.leaveFleetMs, {
    kind: 'operationresults',
    onEnd: () => {
      const key = member.name.toLowerCase();
      if (fleet.members.get(key) !== member) return;
      if (member.mesh !== undefined) state.violations.push(`${member.name} left while attached`);
      fleet.members.delete(key);
    },
  });
  return json(202, memberDocument(member, state), { location });
}

function checkDelete(state: ServiceState, member: StoredMember): ServiceAnswer | undefined {
  const { left, mesh, name } = member;
  const lag = left !== undefined && state.timeline.now() < left.at + state.knobs.deleteGuardLagMs;
  if (mesh === undefined && !lag) return undefined;
  return refusal(state, 'MemberBelongsToClusterMesh', `The member ${name} belongs to a mesh.`);
}
