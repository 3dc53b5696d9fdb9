import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientEnvironment } from '../fleet-service/client-environment.js';
import { serveFleet } from '../fleet-service/https-server.js';
import type { Knobs } from '../fleet-service/knobs.js';
import { createMovingClock } from '../fleet-service/moving-clock.js';
import { createFleetService, type FleetService } from '../fleet-service/service.js';
import type { Cloud } from './cloud.js';
import { serviceSide } from './service-side.js';
import { startStandIn } from './stand-in.js';

/** Terraform's provider and the Fleet service in one world, with what sends programs there. */
export interface AzureWorld {
  readonly cloud: Cloud;
  readonly service: FleetService;
  /** Names of the members that are in a mesh, sorted. */
  attached(): readonly string[];
  /** For Terraform, the cdktf CLI, the handler and `meshscale fleet`; the user's own settings stay. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** How a world is made. */
export interface AzureWorldOptions {
  /** For sockets, certificates and the handlers' locks; its path has to be short (see stand-in). */
  readonly folder: string;
  /** Waits as long as the service has to be left alone before its time jumps: 25 ms in real time. */
  readonly idle: () => Promise<void>;
  /** What `AZURE_CLIENT_SECRET` is; any is accepted. @default 'secret' */
  readonly secret?: string;
  /** @default - as recorded */
  readonly knobs?: Partial<Knobs>;
}

/**
 * Starts an Azure on loopback in which `cdktf deploy`, Terraform and the real Fleet handler see the same
 * clusters and members: nothing leaves the machine and a wait of minutes takes milliseconds.
 */
export async function startAzureWorld(options: AzureWorldOptions): Promise<AzureWorld> {
  const { folder, knobs = {}, secret = 'secret' } = options;
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  const clock = createMovingClock(options.idle);
  const service = createFleetService(clock, knobs);
  const server = await serveFleet(service, clock);
  const fleet = serviceSide(service);
  const standIn = await startStandIn({ folder, fleet });
  const caFile = join(folder, 'ca.pem');
  const rcFile = join(folder, 'terraformrc');
  await writeFile(caFile, server.caPem);
  // Terraform warns on standard output, in the middle of JSON, when a user's file does not exist.
  await writeFile(rcFile, '');
  return {
    cloud: standIn.cloud,
    service,
    attached: () => fleet.attached(),
    environment: {
      ...standIn.environment,
      ...clientEnvironment({ origin: server.origin, caFile }, secret),
      TF_CLI_CONFIG_FILE: rcFile,
      CHECKPOINT_DISABLE: '1',
      MESHSCALE_HOME: home,
    },
    stop: () => {
      standIn.stop();
      return server.close();
    },
  };
}
