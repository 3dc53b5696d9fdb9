import { AKS_API_VERSION } from './arm/api-version.js';
import { createExchange, type ArmWorld } from './arm/exchange.js';
import { readAll } from './arm/pages.js';
import { parseCluster, parseMember, parseProfile } from './arm/parse-fleet.js';
import { armWrites, type ArmWrites } from './arm/writes.js';
import type { CallBounds, FleetApi, FleetMember } from './fleet-api.js';
import { parseJson } from './json.js';
import { sameLabels, userLabels } from './labels.js';

/** Where a fleet is. */
export interface FleetPlace {
  /** Its full id. */
  readonly fleetId: string;
  readonly apiVersion: string;
}

/** Fleet by HTTP. @see fleet-api.md §§3, 5 */
export function createArmFleetApi(place: FleetPlace, world: ArmWorld): FleetApi {
  const exchange = createExchange(world);
  const version = `api-version=${place.apiVersion}`;
  const readAt = async (url: string, bounds: CallBounds): Promise<unknown> => {
    const { answer, meaning } = await exchange({ method: 'GET', url }, bounds);
    return meaning.kind === 'good' ? parseJson(answer.body) : undefined;
  };
  const arm: Arm = {
    url: (path, query = '') => `${world.origin}${place.fleetId}${path}?${version}${query}`,
    readAt,
    list: async (url, bounds) => (await readAll(url, exchange, bounds)).map(parseMember),
    write: armWrites({ exchange, clock: world.clock, readAt }),
  };
  return {
    fleetExists: async (bounds) => (await readAt(arm.url(''), bounds)) !== undefined,
    ...memberCalls(arm),
    ...profileCalls(arm),
    cluster: async (id, bounds) => {
      const url = `${world.origin}${id}?api-version=${AKS_API_VERSION}`;
      return parsed(await readAt(url, bounds), parseCluster);
    },
  };
}

interface Arm {
  readonly url: (path: string, query?: string) => string;
  readonly readAt: (url: string, bounds: CallBounds) => Promise<unknown>;
  readonly list: (url: string, bounds: CallBounds) => Promise<readonly FleetMember[]>;
  readonly write: ArmWrites;
}

type MemberCalls = Pick<
  FleetApi,
  'member' | 'members' | 'applied' | 'selected' | 'putMember' | 'patchLabels' | 'deleteMember'
>;

function memberCalls({ url, readAt, list, write }: Arm): MemberCalls {
  const memberUrl = (name: string): string => url(`/members/${name}`);
  // Spaces as %20, the value without quotes. @see fleet-api.md §5.5
  const filtered = (word: string, profile: string): string =>
    url('/members', `&$filter=${word}%20eq%20${profile}`);
  return {
    member: async (name, bounds) => parsed(await readAt(memberUrl(name), bounds), parseMember),
    members: (bounds) => list(url('/members'), bounds),
    applied: (profile, bounds) => list(filtered('clusterMeshProfile', profile), bounds),
    selected: (profile, bounds) => list(filtered('clusterMeshProfile.Selector', profile), bounds),
    putMember: (name, { clusterId, labels, group }, bounds) => {
      const properties = {
        clusterResourceId: clusterId,
        ...(group === undefined ? {} : { group }),
        labels: userLabels(labels),
      };
      const request = { method: 'PUT', url: memberUrl(name), body: { properties } } as const;
      // A PUT of a member is safe to repeat, and an earlier one may have failed: never taken as done.
      return write.resource(request, bounds, { parse: parseMember, asWanted: () => false });
    },
    patchLabels: (name, labels, bounds, eTag) => {
      const body = { properties: { labels: userLabels(labels) } };
      const headers = eTag === undefined ? {} : { 'if-match': eTag };
      const request = { method: 'PATCH', url: memberUrl(name), body, headers } as const;
      return write.resource(request, bounds, {
        parse: parseMember,
        asWanted: (member) => sameLabels(userLabels(member.labels), userLabels(labels)),
      });
    },
    deleteMember: (name, bounds) => write.removal(memberUrl(name), bounds),
  };
}

type ProfileCalls = Pick<FleetApi, 'profile' | 'putProfile' | 'apply' | 'deleteProfile'>;

function profileCalls({ url, readAt, write }: Arm): ProfileCalls {
  const profileUrl = (name: string, action = ''): string =>
    url(`/clusterMeshProfiles/${name}${action}`);
  return {
    profile: async (name, bounds) => parsed(await readAt(profileUrl(name), bounds), parseProfile),
    putProfile: (name, selector, bounds) => {
      const body = { properties: { memberSelector: { byLabel: selector } } };
      return write.resource({ method: 'PUT', url: profileUrl(name), body }, bounds, {
        parse: parseProfile,
        asWanted: (profile) => profile.selector === selector,
      });
    },
    apply: (name, bounds) =>
      write.resource({ method: 'POST', url: profileUrl(name, '/apply') }, bounds, {
        parse: parseProfile,
        at: profileUrl(name),
        asWanted: ({ state, selector, lastApplied }) =>
          state === 'Applying' && lastApplied === selector,
      }),
    deleteProfile: (name, bounds) => write.removal(profileUrl(name), bounds),
  };
}

function parsed<T>(json: unknown, parse: (json: unknown) => T): T | undefined {
  return json === undefined ? undefined : parse(json);
}
