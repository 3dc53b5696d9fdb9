import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from '../../../constructs/cdk.js';
import type { Cloud } from '../../../sim/azurerm-provider/cloud.js';
import type { FleetSide } from '../../../sim/azurerm-provider/fleet-side.js';
import { startStandIn } from '../../../sim/azurerm-provider/stand-in.js';
import { MeshStack } from '../../../stacks/mesh-stack.js';
import { settingsSchema } from '../../../stacks/settings.js';
import { MeshModel } from './mesh-model.js';
import { startRecordingWorld, type RecordingWorld } from './recording-world.js';
import { runTerraform, startTerraform } from './run-terraform.js';
import type { RunningTerraform, TerraformPlace, TerraformResult } from './run-terraform.js';
import { terraformBinary } from './terraform-binary.js';

/** The handler that reports to the test. */
export const RECORDING_HANDLER = fileURLToPath(
  new URL('../../fixtures/handlers/recording-handler.mjs', import.meta.url),
);

/** A synthesized stack, a real Terraform, a stand-in for Azure and a recording handler. */
export interface TerraformWorld {
  readonly cloud: Cloud;
  readonly mesh: MeshModel;
  readonly handler: RecordingWorld;
  readonly place: TerraformPlace;
  terraform(...args: readonly string[]): Promise<TerraformResult>;
  apply(clusters: number, ...args: readonly string[]): Promise<TerraformResult>;
  destroy(): Promise<TerraformResult>;
  start(...args: readonly string[]): RunningTerraform;
  /** What happened since the last call of this, only what has to do with the mesh. */
  events(): readonly string[];
}

/** Settings as they stand in cdktf.json; defaults for what is left out. */
export type SettingsInput = Readonly<Record<string, unknown>>;

/** Writes the stack's Terraform into `folder` and returns the folder that Terraform runs in. */
export function synthesizeMesh(folder: string, settings: SettingsInput = {}): string {
  const app = new App({ outdir: join(folder, 'out') });
  new MeshStack(app, 'mesh', {
    ...settingsSchema.parse({ preset: 'small', handlerFile: RECORDING_HANDLER, ...settings }),
  });
  app.synth();
  return join(folder, 'out', 'stacks', 'mesh');
}

/** A synthesized stack with a real Terraform and a stand-in for Azure, whoever plays Fleet. */
export interface TerraformGround {
  readonly folder: string;
  readonly fleet: FleetSide;
  readonly environment: Readonly<Record<string, string>>;
  readonly settings?: SettingsInput;
}

/** Synthesizes and initializes a stack in `ground.folder` and lets `use` work with it. */
export async function onGround(
  ground: TerraformGround,
  use: (place: TerraformPlace, cloud: Cloud) => Promise<void>,
): Promise<void> {
  const standIn = await startStandIn({ folder: ground.folder, fleet: ground.fleet });
  try {
    await mkdir(join(ground.folder, 'out'));
    await writeFile(join(ground.folder, 'terraformrc'), '');
    const place = {
      program: terraformBinary(),
      folder: synthesizeMesh(ground.folder, ground.settings),
      environment: {
        ...standIn.environment,
        TF_CLI_CONFIG_FILE: join(ground.folder, 'terraformrc'),
        ...ground.environment,
      },
    };
    const init = await runTerraform(place, ['init', '-input=false']);
    if (init.code !== 0) throw new Error(init.text);
    await use(place, standIn.cloud);
  } finally {
    standIn.stop();
  }
}

/** Runs `use` in a world of its own with recording handlers, which is gone afterwards. */
export async function withTerraformWorld(
  use: (world: TerraformWorld) => Promise<void>,
  settings: SettingsInput = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ms-tf-'));
  const mesh = new MeshModel();
  let events: string[] = [];
  const handler = await startRecordingWorld(mesh, () => events);
  const environment = { MESHSCALE_TEST_WORLD: handler.url };
  try {
    await onGround({ folder, fleet: mesh, environment, settings }, async (place, cloud) => {
      events = cloud.events;
      await use(worldIn(place, cloud, mesh, handler));
    });
  } finally {
    await handler.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A world that several tests use one after another. */
export async function openTerraformWorld(): Promise<{
  readonly world: TerraformWorld;
  close(): Promise<void>;
}> {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let over: Promise<void> = Promise.resolve();
  const world = await new Promise<TerraformWorld>((resolve, reject) => {
    over = withTerraformWorld((opened) => {
      resolve(opened);
      return left;
    });
    over.catch(reject);
  });
  return {
    world,
    close: () => {
      leave();
      return over;
    },
  };
}

function worldIn(
  place: TerraformPlace,
  cloud: Cloud,
  mesh: MeshModel,
  handler: RecordingWorld,
): TerraformWorld {
  let seen = 0;
  const run = (...args: readonly string[]) => runTerraform(place, args);
  return {
    cloud,
    mesh,
    handler,
    place,
    terraform: run,
    apply: (clusters, ...args) =>
      run('apply', '-input=false', '-auto-approve', `-var=clusters=${clusters}`, ...args),
    destroy: () => run('destroy', '-input=false', '-auto-approve'),
    start: (...args) => startTerraform(place, args),
    events: () => {
      const fresh = cloud.events.slice(seen).filter((line) => ABOUT_THE_MESH.test(line));
      seen = cloud.events.length;
      return fresh;
    },
  };
}

const ABOUT_THE_MESH =
  /^(ensure|leave|drain|VIOLATION|FAULT)|azurerm_kubernetes_(cluster|fleet_manager|fleet_member) /;
