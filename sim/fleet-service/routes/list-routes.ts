import { selects } from '../../../fleet/labels.js';
import { empty, json, type ServiceAnswer, type ServiceRequest } from '../answers.js';
import { memberDocument, profileDocument } from '../documents.js';
import {
  touch,
  type ServiceState,
  type Stored,
  type StoredFleet,
  type StoredMember,
} from '../state.js';

/** `GET F/members` with its two filters. @see fleet-api.md §5.5 */
export function listMembers(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
): ServiceAnswer {
  if (request.method !== 'GET') return empty(405);
  const query = queryOf(request);
  const filter = query.get('$filter');
  const all = [...fleet.members.values()];
  const shown = filter === null ? all : all.filter(filterBy(state, fleet, filter));
  return page(state, request, shown, (member) => memberDocument(member, state));
}

/** `GET F/clusterMeshProfiles`. */
export function listProfiles(
  state: ServiceState,
  request: ServiceRequest,
  fleet: StoredFleet,
): ServiceAnswer {
  if (request.method !== 'GET') return empty(405);
  const all = [...fleet.profiles.values()];
  return page(state, request, all, (profile) => profileDocument(profile, state));
}

/** The query of a request, decoded. */
export function queryOf(request: ServiceRequest): URLSearchParams {
  return new URL(request.path, 'https://x').searchParams;
}

function filterBy(
  state: ServiceState,
  fleet: StoredFleet,
  filter: string,
): (member: StoredMember) => boolean {
  const match = /^clusterMeshProfile(\.Selector)? eq '?([^']+?)'?$/i.exec(filter);
  const profile = fleet.profiles.get((match?.[2] ?? '').toLowerCase());
  if (profile === undefined) return () => false;
  if (match?.[1] !== undefined) return ({ labels }) => selects(profile.selector, labels);
  const now = state.timeline.now();
  const { join, leave } = state.knobs.listLagMs;
  return ({ mesh, left }) =>
    (mesh?.profile === profile && mesh.since + join <= now) ||
    (left?.profile === profile && mesh === undefined && left.at + leave > now);
}

/** Most recently written first, so items move between pages while somebody reads them. */
function page<Item extends Stored>(
  state: ServiceState,
  request: ServiceRequest,
  items: readonly Item[],
  document: (item: Item) => object,
): ServiceAnswer {
  const sorted = [...items].sort((one, other) => other.written - one.written);
  const skip = Number(queryOf(request).get('$skipToken') ?? 0);
  const size = state.knobs.pageSize;
  const value = sorted.slice(skip, skip + size).map(document);
  if (skip + size >= sorted.length) return json(200, { value });
  const last = sorted.at(-1);
  if (state.knobs.reorderDuringPaging && skip === 0 && last !== undefined) touch(state, last);
  const path = request.path.replace(/&\$skipToken=\d+/, '');
  return json(200, { value, nextLink: `${request.origin}${path}&$skipToken=${skip + size}` });
}
