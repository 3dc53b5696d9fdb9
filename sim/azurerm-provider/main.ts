import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../workload/platform/clock.js';
import { PRESETS } from '../fleet-service/presets.js';
import { startAzureWorld } from './azure-world.js';

// An Azure on loopback as a process, to try `cdktf deploy` without an account: prints the variables that
// send programs there as lines for a shell, then what happens in it, until it is told to stop.
//   node --import tsx sim/azurerm-provider/main.ts [preset of the Fleet service] > azure.env
/** Real time without a request before the service's time jumps; chosen. */
const IDLE_MS = 25;
/** How often new events are printed; chosen. */
const LOOK_MS = 200;

const [preset = 'recorded'] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'ms-azure-'));
const world = await startAzureWorld({
  folder,
  idle: () => systemClock.sleep(IDLE_MS),
  knobs: PRESETS[preset] ?? {},
});
const stopped = new AbortController();
const stop = (): void => {
  stopped.abort();
};
process.once('SIGTERM', stop).once('SIGINT', stop);
const lines = Object.entries(world.environment).map(([name, value]) => `export ${name}='${value}'`);
process.stdout.write(`${lines.join('\n')}\n`);
for (let seen = 0; !stopped.signal.aborted;) {
  for (const event of world.cloud.events.slice(seen)) process.stderr.write(`${event}\n`);
  seen = world.cloud.events.length;
  await systemClock.sleep(LOOK_MS);
}
await world.stop();
await rm(folder, { recursive: true, force: true });
