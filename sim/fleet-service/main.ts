import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../workload/platform/clock.js';
import { clientEnvironment } from './client-environment.js';
import { serveFleet } from './https-server.js';
import { createMovingClock } from './moving-clock.js';
import { PRESETS } from './presets.js';
import { createFleetService } from './service.js';

// A fleet service as a process, for Terraform and other programs: prints one line of JSON with the
// variables that send clients here, then serves until it is told to stop.
//   node --import tsx sim/fleet-service/main.ts [preset] [real ms without a request before time jumps]
const [preset = 'recorded', idleMs = '25'] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'meshscale-fleet-'));
const clock = createMovingClock(() => systemClock.sleep(Number(idleMs)));
const service = createFleetService(clock, PRESETS[preset] ?? {});
const server = await serveFleet(service, clock);
const ca = join(folder, 'ca.pem');
await writeFile(ca, server.caPem);
const stop = async (): Promise<void> => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
};
process.once('SIGTERM', () => void stop()).once('SIGINT', () => void stop());
process.stdout.write(
  `${JSON.stringify({
    endpoint: server.origin,
    ca,
    environment: clientEnvironment({ origin: server.origin, caFile: ca }, 'secret'),
  })}\n`,
);
