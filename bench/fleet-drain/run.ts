import { setImmediate as turn } from 'node:timers/promises';
import { startBudget } from '../../fleet/budget.js';
import { createArmFleetApi } from '../../fleet/arm-fleet-api.js';
import { FLEET_API_VERSION } from '../../model/fleet-names.js';
import { drain } from '../../fleet/drain.js';
import type { FleetWorld } from '../../fleet/fleet-world.js';
import { clusterRoles } from '../../model/cluster-identity.js';
import { IN_PROCESS_ORIGIN, sendInProcess } from '../../sim/fleet-service/in-process.js';
import { createMovingClock } from '../../sim/fleet-service/moving-clock.js';
import { applyMesh } from '../../sim/fleet-service/mesh-engine.js';
import { seedFleet } from '../../sim/fleet-service/routes/fleet-routes.js';
import { seedMember } from '../../sim/fleet-service/routes/member-routes.js';
import { createFleetService } from '../../sim/fleet-service/service.js';
import { relabelLoop } from './relabel-loop.js';

/**
 * Requests and (virtual) time of a drain of 2, 20 and 100 members by one selector, against the loop that
 * takes the label off each member, on the same service: `npx tsx bench/fleet-drain/run.ts`.
 */
const GROUP = '/subscriptions/1b6a0000-0000-0000-0000-000000000001/resourceGroups/rg-run7';
const FLEET_ID = `${GROUP}/providers/Microsoft.ContainerService/fleets/fleet1`;
const PROFILE = 'cmp1';

async function prepare(size: number, answerMs: number) {
  const clock = createMovingClock(turn);
  const service = createFleetService(clock);
  const fleet = seedFleet(service.state, FLEET_ID);
  for (const name of clusterRoles(size)) {
    const clusterId = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/${name}`;
    seedMember(service.state, fleet, name, { clusterId, labels: { mesh: PROFILE } });
  }
  const api = createArmFleetApi(
    { fleetId: FLEET_ID, apiVersion: FLEET_API_VERSION },
    {
      send: sendInProcess(service, clock),
      clock,
      origin: IN_PROCESS_ORIGIN,
      tokens: { get: () => Promise.resolve('dummy'), forget: () => undefined },
      chance: { integer: (min) => min, guid: () => '00000000-0000-4000-8000-000000000000' },
    },
  );
  const world: FleetWorld = {
    fleetId: FLEET_ID,
    api,
    clock,
    lock: { tryTake: () => Promise.resolve({ state: 'taken', release: () => Promise.resolve() }) },
    progress: { report: () => undefined },
    signal: new AbortController().signal,
  };
  const bounds = { budget: startBudget(clock, 3_600_000), signal: world.signal };
  await api.putProfile(PROFILE, `mesh=${PROFILE}`, bounds);
  const profile = fleet.profiles.get(PROFILE);
  if (profile !== undefined) applyMesh(service.state, fleet, profile);
  await clock.sleep(600_000);
  service.catchUp();
  service.state.journal.length = 0;
  service.state.knobs.answerMs = answerMs;
  return { service, world, clock, bounds };
}

async function measure(size: number, way: 'selector' | 'relabel loop', answerMs: number) {
  const { service, world, clock, bounds } = await prepare(size, answerMs);
  const start = clock.now();
  if (way === 'selector') await drain({ profile: PROFILE }, world);
  else await relabelLoop(PROFILE, world, bounds);
  const writes = service.state.journal.filter(({ method }) => method !== 'GET').length;
  const requests = service.state.journal.length;
  return { members: size, way, requests, writes, seconds: (clock.now() - start) / 1_000 };
}

for (const answerMs of [0, 400]) {
  process.stdout.write(`each answer takes ${answerMs} ms\n`);
  process.stdout.write('members  way            requests  writes  virtual seconds\n');
  for (const size of [2, 20, 100]) {
    for (const way of ['selector', 'relabel loop'] as const) {
      const { members, requests, writes, seconds } = await measure(size, way, answerMs);
      const cells = [String(members).padStart(7), way.padEnd(13), String(requests).padStart(8)];
      process.stdout.write(
        `${[...cells, String(writes).padStart(6), seconds.toFixed(1).padStart(8)].join('  ')}\n`,
      );
    }
  }
}
