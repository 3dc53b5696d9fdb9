import { writeFile } from 'node:fs/promises';
import { setTimeout as pass } from 'node:timers/promises';
import { join } from 'node:path';
import { clientEnvironment } from '../../sim/fleet-service/client-environment.js';
import { serveFleet, type FleetServer } from '../../sim/fleet-service/https-server.js';
import type { Knobs } from '../../sim/fleet-service/knobs.js';
import { createMovingClock } from '../../sim/fleet-service/moving-clock.js';
import { seedFleet } from '../../sim/fleet-service/routes/fleet-routes.js';
import { seedMember } from '../../sim/fleet-service/routes/member-routes.js';
import { createFleetService, type FleetService } from '../../sim/fleet-service/service.js';
import { clusterRoles } from '../../model/cluster-identity.js';
import { clusterId, FLEET_ID } from './fleet-world.js';
import { withTemporaryFolder } from './temporary-folder.js';

/** A service behind TLS, and the variables that send a process to it. */
export interface RunningFleet {
  readonly service: FleetService;
  readonly server: FleetServer;
  readonly members: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Runs `use` with a fleet of `size` members on loopback, for processes of their own. */
export async function withFleetServer<T>(
  size: number,
  knobs: Partial<Knobs>,
  use: (running: RunningFleet) => Promise<T>,
): Promise<T> {
  return await withTemporaryFolder(async (folder) => {
    const clock = createMovingClock(() => pass(10));
    const service = createFleetService(clock, knobs);
    const fleet = seedFleet(service.state, FLEET_ID);
    const members = clusterRoles(size);
    for (const name of members) {
      seedMember(service.state, fleet, name, { clusterId: clusterId(name) });
    }
    const server = await serveFleet(service, clock);
    const ca = join(folder, 'ca.pem');
    await writeFile(ca, server.caPem);
    const env = {
      MESHSCALE_HOME: folder,
      ...clientEnvironment({ origin: server.origin, caFile: ca }, 'secret-of-the-test'),
      FLEET_ID,
      PROFILE: 'cmp1',
    };
    try {
      return await use({ service, server, members, env, folder });
    } finally {
      await server.close();
    }
  });
}
