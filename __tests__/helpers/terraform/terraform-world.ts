import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, type TerraformStack } from '../../../constructs/cdk.js';
import type { Cloud } from '../../../sim/azurerm-provider/cloud.js';
import { startStandIn } from '../../../sim/azurerm-provider/stand-in.js';
import type { LoadedSpec } from '../../../stacks/load-spec.js';
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
  /** Puts another spec into the place of the one that was synthesized; the state stays. */
  respecify(spec: LoadedSpec): Promise<void>;
  /** What happened since the last call of this, only what has to do with the mesh. */
  events(): readonly string[];
}

/** Settings as they stand in cdktf.json; defaults for what is left out. */
export type SettingsInput = Readonly<Record<string, unknown>>;

/** Synthesizes the mesh stack into `folder` and initializes Terraform there. */
export function initializeMesh(
  folder: string,
  environment: Readonly<Record<string, string>>,
  settings: SettingsInput = {},
  spec?: LoadedSpec,
): Promise<TerraformPlace> {
  const given = { preset: 'small', handlerFile: RECORDING_HANDLER, ...settings };
  const parsed = settingsSchema.parse(given);
  return initializeStack(folder, environment, (app) => new MeshStack(app, 'mesh', parsed, spec));
}

/** Synthesizes a stack into `folder` and initializes Terraform there, for providers of `environment`. */
export async function initializeStack(
  folder: string,
  environment: Readonly<Record<string, string>>,
  build: (app: App) => TerraformStack,
): Promise<TerraformPlace> {
  await mkdir(join(folder, 'out'), { recursive: true });
  await writeFile(join(folder, 'terraformrc'), '');
  const app = new App({ outdir: join(folder, 'out') });
  const stack = build(app);
  app.synth();
  const place = {
    program: terraformBinary(),
    folder: join(folder, 'out', 'stacks', stack.node.id),
    environment: { TF_CLI_CONFIG_FILE: join(folder, 'terraformrc'), ...environment },
  };
  const init = await runTerraform(place, ['init', '-input=false']);
  if (init.code !== 0) throw new Error(init.text);
  return place;
}

/** Runs `use` in a world of its own with recording handlers, which is gone afterwards. */
export async function withTerraformWorld(
  use: (world: TerraformWorld) => Promise<void>,
  settings: SettingsInput = {},
  spec?: LoadedSpec,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ms-tf-'));
  const mesh = new MeshModel();
  const standIn = await startStandIn({ folder, fleet: mesh });
  const handler = await startRecordingWorld(mesh, () => standIn.cloud.events);
  try {
    const environment = { ...standIn.environment, MESHSCALE_TEST_WORLD: handler.url };
    const place = await initializeMesh(folder, environment, settings, spec);
    await use({
      ...runnerIn(place, standIn.cloud),
      cloud: standIn.cloud,
      mesh,
      handler,
      place,
      respecify: async (other) => {
        await initializeMesh(folder, environment, settings, other);
      },
    });
  } finally {
    standIn.stop();
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

function runnerIn(place: TerraformPlace, cloud: Cloud) {
  let seen = 0;
  const run = (...args: readonly string[]) => runTerraform(place, args);
  return {
    terraform: run,
    apply: (clusters: number, ...args: readonly string[]) =>
      run('apply', '-input=false', '-auto-approve', `-var=clusters=${clusters}`, ...args),
    destroy: () => run('destroy', '-input=false', '-auto-approve'),
    start: (...args: readonly string[]) => startTerraform(place, args),
    events: () => {
      const fresh = cloud.events.slice(seen).filter((line) => ABOUT_THE_MESH.test(line));
      seen = cloud.events.length;
      return fresh;
    },
  };
}

const ABOUT_THE_MESH =
  /^(ensure|leave|drain|VIOLATION|FAULT)|azurerm_kubernetes_(cluster|fleet_manager|fleet_member) /;
