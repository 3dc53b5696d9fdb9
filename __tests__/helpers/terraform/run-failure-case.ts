import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { CloudSnapshot } from '../../../sim/azurerm-provider/cloud.js';
import { cloudFault, handlerRule, type FailureCase, type Lifecycle } from './lifecycles.js';
import type { MeshModel } from './mesh-model.js';
import type { TerraformWorld } from './terraform-world.js';

/** A mesh of so many clusters to start from. */
interface Beginning {
  readonly state: string | undefined;
  readonly cloud: CloudSnapshot;
  readonly mesh: MeshModel;
}

/** Runs cases one after another in one world, each from a fresh copy of its beginning. */
export function failureRunner(world: TerraformWorld) {
  const beginnings = new Map<number, Beginning>();
  const stateFile = join(world.place.folder, '../../../terraform.mesh.tfstate');

  const keep = async (clusters: number): Promise<Beginning> => {
    const known = beginnings.get(clusters);
    if (known !== undefined) return known;
    const kept = {
      state: clusters === 0 ? undefined : await readFile(stateFile, 'utf8'),
      cloud: world.cloud.snapshot(),
      mesh: world.mesh.snapshot(),
    };
    beginnings.set(clusters, kept);
    return kept;
  };

  const begin = async (clusters: number): Promise<void> => {
    const nothing = await keep(0);
    const known = beginnings.get(clusters);
    const from = known ?? nothing;
    world.cloud.restore(from.cloud);
    world.mesh.restore(from.mesh);
    world.handler.rules.length = 0;
    if (from.state === undefined) await rm(stateFile, { force: true });
    else await writeFile(stateFile, from.state);
    if (known === undefined) {
      expect(await world.apply(clusters)).toMatchObject({ code: 0 });
      await keep(clusters);
    }
    world.events();
  };

  return async (one: FailureCase, options: { readonly thenDestroy: boolean }): Promise<void> => {
    const { lifecycle } = one;
    await begin(lifecycle.from);
    const failed = await runWithFault(world, one);
    const during = world.events();
    if (BREAKS.includes(one.fault)) expect({ failed, during }).toMatchObject({ failed: true });
    expect(during).not.toContainEqual(expect.stringContaining('VIOLATION'));
    world.handler.rules.length = 0;
    world.cloud.faults.length = 0;
    const again = await run(world, lifecycle).result;
    expect(again).toMatchObject({ code: 0 });
    expect(world.mesh.attached).toEqual(rolesOf(lifecycle.to > 1 ? lifecycle.to : 0));
    expect(world.events()).not.toContainEqual(expect.stringContaining('VIOLATION'));
    if (options.thenDestroy && lifecycle.to > 0) {
      expect(await world.destroy()).toMatchObject({ code: 0 });
    }
    if (options.thenDestroy || lifecycle.to === 0) expect(world.cloud.size).toBe(0);
    expect(world.events()).not.toContainEqual(expect.stringContaining('VIOLATION'));
  };
}

/** Faults after which the run cannot have ended well. */
const BREAKS: readonly string[] = ['fails', 'fails-late', 'is-killed', 'is-refused'];

function run(world: TerraformWorld, { to, args = [] }: Lifecycle) {
  return to === 0
    ? world.start('destroy', '-input=false', '-auto-approve')
    : world.start('apply', '-input=false', '-auto-approve', `-var=clusters=${to}`, ...args);
}

/** Runs the change with the fault planted; whether it ended badly. */
async function runWithFault(world: TerraformWorld, one: FailureCase): Promise<boolean> {
  const rule = handlerRule(one);
  const stopped = one.fault === 'is-interrupted' || one.fault === 'dies-with-terraform';
  const held = hold();
  if (rule !== undefined) world.handler.rules.push(rule);
  else if (stopped) world.cloud.faults.push(cloudFault(one.step, held.hold));
  else world.cloud.faults.push(cloudFault(one.step));
  const running = run(world, one.lifecycle);
  if (stopped) {
    await (rule === undefined ? held.reached : world.handler.hanging());
    if (one.fault === 'dies-with-terraform') await recorded(world);
    const { pid } = running.child;
    if (pid === undefined) throw new Error('terraform has no process');
    // Ctrl-C in a terminal reaches the whole group; a killed Terraform leaves its handler behind.
    if (one.fault === 'is-interrupted') process.kill(-pid, 'SIGINT');
    else process.kill(pid, 'SIGKILL');
    if (one.fault === 'dies-with-terraform') await running.result;
    world.handler.release();
    // What was sent before Terraform died may be done or not; a create that was done would have to
    // be imported by hand, as with the real provider.
    held.release(one.step.startsWith('create') && one.fault !== 'is-interrupted' ? 'lost' : 'done');
  }
  return (await running.result).code !== 0;
}

/**
 * Waits until what runs beside the step has ended and is written down. What a killed Terraform did not
 * live to write into its state has to be imported by hand, and is no case of continuing.
 */
async function recorded(world: TerraformWorld): Promise<void> {
  for (let seen = -1; seen !== world.cloud.events.length;) {
    seen = world.cloud.events.length;
    await pass(SETTLED_MS);
  }
}

/** Long for a step of the stand-in, also on a busy machine; chosen. */
const SETTLED_MS = 3_000;

function hold() {
  let reach: () => void = () => undefined;
  let release: (outcome: 'done' | 'lost') => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<'done' | 'lost'>((resolve) => {
    release = resolve;
  });
  return {
    reached,
    release: (outcome: 'done' | 'lost') => {
      release(outcome);
    },
    hold: () => {
      reach();
      return released;
    },
  };
}

function rolesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `mesh-00${index + 1}`);
}
