import { setImmediate as turn } from 'node:timers/promises';
import { createArmFleetApi } from '../../fleet/arm-fleet-api.js';
import { FLEET_API_VERSION } from '../../model/fleet-names.js';
import { connectAzure } from '../../fleet/connect.js';
import type { FleetWorld } from '../../fleet/fleet-world.js';
import type { Chance, FleetLock, SendHttp } from '../../fleet/ports.js';
import { clusterRoles } from '../../model/cluster-identity.js';
import { breachesOf } from '../../sim/fleet-service/check-service.js';
import { IN_PROCESS_ORIGIN, sendInProcess } from '../../sim/fleet-service/in-process.js';
import type { Knobs } from '../../sim/fleet-service/knobs.js';
import { createMovingClock, type MovingClock } from '../../sim/fleet-service/moving-clock.js';
import { seedFleet } from '../../sim/fleet-service/routes/fleet-routes.js';
import { seedMember } from '../../sim/fleet-service/routes/member-routes.js';
import { createFleetService, type FleetService } from '../../sim/fleet-service/service.js';
import type { StoredFleet } from '../../sim/fleet-service/state.js';
import { seededRandom } from '../../workload/platform/random.js';

const GROUP = '/subscriptions/1b6a0000-0000-0000-0000-000000000001/resourceGroups/rg-run7';
export const FLEET_ID = `${GROUP}/providers/Microsoft.ContainerService/fleets/fleet1`;

/** Full id of an AKS cluster, in the spelling that AKS uses. */
export function clusterId(name: string): string {
  return `${GROUP.replace('resourceGroups', 'resourcegroups')}/providers/Microsoft.ContainerService/managedClusters/${name}`;
}

/** A fleet service and our side of it, in virtual time. */
export interface TestFleet {
  readonly service: FleetService;
  readonly fleet: StoredFleet;
  readonly clock: MovingClock;
  readonly world: FleetWorld;
  readonly members: readonly string[];
  /** Lines of progress. */
  readonly told: string[];
  readonly abort: AbortController;
  /** Another process on the same fleet, with the same lock. */
  another(): FleetWorld;
  /** Names of members that are attached to a mesh, as the service knows it. */
  attached(): readonly string[];
  /** How often something was asked for: `POST .*apply`. */
  requests(pattern: string): number;
  breaches(): readonly string[];
}

/** A fleet with `size` members without labels. */
export function createTestFleet(size: number, knobs: Partial<Knobs> = {}): TestFleet {
  const clock = createMovingClock(turn);
  const service = createFleetService(clock, knobs);
  const fleet = seedFleet(service.state, FLEET_ID);
  const members = size === 0 ? [] : clusterRoles(size);
  for (const name of members) {
    seedMember(service.state, fleet, name, { clusterId: clusterId(name), labels: { team: 'net' } });
  }
  const told: string[] = [];
  const abort = new AbortController();
  const lock = memoryLock();
  const send = sendInProcess(service, clock);
  const worldOf = (): FleetWorld => ({
    fleetId: FLEET_ID,
    api: apiOver(send, clock),
    lock,
    clock,
    progress: { report: ({ subject, text }) => void told.push(`${subject}: ${text}`) },
    signal: abort.signal,
  });
  return {
    service,
    fleet,
    clock,
    world: worldOf(),
    members,
    told,
    abort,
    another: worldOf,
    attached: () => {
      service.catchUp();
      return [...fleet.members.values()].filter(({ mesh }) => mesh).map(({ name }) => name);
    },
    requests: (pattern) =>
      service.state.journal.filter(({ method, path }) =>
        new RegExp(pattern).test(`${method} ${path}`),
      ).length,
    breaches: () => breachesOf(service.state),
  };
}

/** Our adapter with a token that never ends. */
export function apiOver(send: SendHttp, clock: MovingClock, rightsGrace = 0) {
  const tokens = { get: () => Promise.resolve('dummy'), forget: () => undefined };
  const chance = seededChance(7);
  const arm = { send, clock, tokens, chance, origin: IN_PROCESS_ORIGIN, rightsGrace };
  return createArmFleetApi({ fleetId: FLEET_ID, apiVersion: FLEET_API_VERSION }, arm);
}

/** Our adapter as a process makes it, with tokens by the service's own login. */
export async function apiWithLogin(service: FleetService, clock: MovingClock) {
  const env = {
    AZURE_TENANT_ID: 'tenant',
    AZURE_CLIENT_ID: 'client',
    AZURE_CLIENT_SECRET: 'secret',
    AZURE_AUTHORITY_HOST: IN_PROCESS_ORIGIN,
    MESHSCALE_ARM_ENDPOINT: IN_PROCESS_ORIGIN,
  };
  const azure = await connectAzure({
    env,
    clock,
    chance: seededChance(7),
    run: () => Promise.resolve({ state: 'not-found' }),
    read: () => Promise.reject(new Error('no files')),
    http: () => sendInProcess(service, clock),
  });
  return azure.fleet(FLEET_ID);
}

export function seededChance(seed: number): Chance {
  const random = seededRandom(seed);
  return {
    integer: (min, max) => random.integer(min, max),
    guid: () => `00000000-0000-4000-8000-${String(random.integer(0, 999_999)).padStart(12, '0')}`,
  };
}

/** One holder at a time among the worlds of a test. */
export function memoryLock(): FleetLock {
  let holder: string | undefined;
  return {
    tryTake: (_fleetId, purpose) => {
      if (holder !== undefined) return Promise.resolve({ state: 'held', holder });
      holder = purpose;
      const release = (): Promise<void> => {
        holder = undefined;
        return Promise.resolve();
      };
      return Promise.resolve({ state: 'taken', release });
    },
  };
}
