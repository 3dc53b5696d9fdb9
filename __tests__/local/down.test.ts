import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { down, endInOrder } from '../../local/down.js';
import { runningMarked } from '../../local/marked-processes.js';
import { openProcessTable } from '../../local/state/process-file.js';
import { withMeshLock } from '../../local/world.js';
import type { ProcessIdentity, Processes } from '../../workload/platform/processes.js';
import { systemProcesses } from '../../workload/platform/system-processes.js';
import { createLocalWorld, type TestLocalWorld } from '../helpers/local-world.js';

jest.setTimeout(60_000);

let test: TestLocalWorld;
beforeEach(async () => {
  test = await createLocalWorld();
});
afterEach(async () => {
  for (const one of marked()) systemProcesses.signalGroup(one, 'SIGKILL');
  await test.remove();
});

const marked = () => runningMarked(test.paths.root, test.world);
/** A process with the mark of the mesh; ends on SIGTERM unless it is told otherwise. */
const start = async (key: string, script?: string): Promise<ProcessIdentity> => {
  const identity = await systemProcesses.start({
    command: script === undefined ? '/bin/sleep' : '/bin/sh',
    args: script === undefined ? ['600'] : ['-c', script],
    cwd: '/',
    env: {
      PATH: process.env['PATH'] ?? '',
      MESHSCALE_STATE: test.paths.root,
      MESHSCALE_PROCESS: key,
    },
    logFile: `${test.paths.root}.log`,
  });
  // The kernel shows a process's environment a moment after it has started.
  for (let looks = 0; looks < 10_000 && !isMarked(identity); looks += 1) await setImmediate();
  expect(isMarked(identity)).toBe(true);
  return identity;
};
const isMarked = (identity: ProcessIdentity): boolean =>
  systemProcesses.environmentOf(identity, 'MESHSCALE_STATE') === test.paths.root;
const record = async (role: string, name: string, identity: ProcessIdentity): Promise<void> => {
  const table = await openProcessTable(test.paths.processFile);
  const { pid } = identity;
  await table.put({ role, name, ...identity, pgid: pid, ports: {}, log: '', fingerprint: '' });
};
const makeMesh = async (): Promise<void> => {
  for (const folder of ['mesh-001/data', 'mesh-002/pki', 'pki', 'logs', 'prometheus']) {
    await mkdir(join(test.paths.root, folder), { recursive: true });
  }
  await writeFile(test.paths.meshFile, '{"schemaVersion":1}');
};

describe('`down`', () => {
  it('ends recorded and unrecorded processes and leaves not even the folder', async () => {
    await makeMesh();
    await record('mesh-001', 'etcd', await start('mesh-001/etcd'));
    await start('mesh-001/kwok');
    expect(await down(test.paths.root, test.world)).toEqual({ found: true, endedProcesses: 2 });
    expect(marked()).toEqual([]);
    expect(existsSync(test.paths.root)).toBe(false);
    expect(test.text()).toContain('is down: 2 processes ended, nothing left');
  });

  it('counts a process and its helpers as one', async () => {
    await makeMesh();
    await record('mesh', 'link-relay', await start('mesh/link-relay', 'sleep 600 & sleep 600'));
    while (marked().length < 3) await test.world.clock.sleep(5);
    expect((await down(test.paths.root, test.world)).endedProcesses).toBe(1);
    expect(marked()).toEqual([]);
  });

  it('says that there is nothing where there is nothing, and makes no folder', async () => {
    expect(await down(test.paths.root, test.world)).toEqual({ found: false, endedProcesses: 0 });
    expect(test.text()).toContain('nothing to do');
    expect(existsSync(test.paths.root)).toBe(false);
  });

  it('ends processes whose state folder somebody has deleted', async () => {
    await start('mesh-001/etcd');
    expect(await down(test.paths.root, test.world)).toEqual({ found: true, endedProcesses: 1 });
    expect(existsSync(test.paths.root)).toBe(false);
  });

  it.each([
    ['is damaged', '{"schemaVersion":1,"proc'],
    ['is of another version', '{"schemaVersion":99}'],
  ])('clears a mesh whose processes.json %s', async (_, text) => {
    await makeMesh();
    await writeFile(test.paths.meshFile, text);
    await writeFile(test.paths.processFile, text);
    await start('mesh-001/etcd');
    expect(await down(test.paths.root, test.world)).toEqual({ found: true, endedProcesses: 1 });
    expect(existsSync(test.paths.root)).toBe(false);
    expect(test.text()).toContain('processes are found by their environment');
  });

  it('ends a process that is stopped, and one that ignores SIGTERM', async () => {
    await makeMesh();
    const stopped = await start('mesh-001/etcd');
    systemProcesses.signalGroup(stopped, 'SIGSTOP');
    await start('mesh-001/kwok', "trap '' TERM; while :; do sleep 600; done");
    await down(test.paths.root, test.world);
    expect(marked()).toEqual([]);
  });

  it('removes what a killed meshscale left beside its files', async () => {
    await makeMesh();
    for (const name of ['.mesh.json.0a1b2c.part', 'lock.0a1b2c', 'lock.claim']) {
      await writeFile(join(test.paths.root, name), '');
    }
    await down(test.paths.root, test.world);
    expect(existsSync(test.paths.root)).toBe(false);
  });

  it("leaves alone what is not the mesh's", async () => {
    await makeMesh();
    await writeFile(join(test.paths.root, 'notes.txt'), 'mine');
    await down(test.paths.root, test.world);
    expect(await readdir(test.paths.root)).toEqual(['notes.txt']);
  });

  it('removes nothing in a folder where there never was a mesh', async () => {
    await mkdir(join(test.paths.root, 'logs'), { recursive: true });
    expect(await down(test.paths.root, test.world)).toMatchObject({ found: false });
    expect(await readdir(test.paths.root)).toEqual(['logs']);
  });

  it('fails with what stays when a process cannot be ended', async () => {
    await makeMesh();
    const etcd = await start('mesh-001/etcd');
    const processes: Processes = { ...systemProcesses, signalGroup: () => 'sent' };
    const clock = { ...test.world.clock, monoNs: fast() };
    await expect(down(test.paths.root, { ...test.world, processes, clock })).rejects.toMatchObject({
      code: 'mesh/leftovers',
      exit: 'leftovers',
      given: `process ${etcd.pid} (mesh-001/etcd) does not end`,
    });
    expect(existsSync(test.paths.meshFile)).toBe(true);
  });

  it('fails while another changes the mesh', async () => {
    await withMeshLock(test.paths.root, 'meshscale up', test.world, async () => {
      await expect(down(test.paths.root, test.world)).rejects.toMatchObject({
        code: 'mesh/busy',
        exit: 'busy',
        given: expect.stringContaining('meshscale up'),
      });
    });
  });
});

describe('the order of ending', () => {
  it('is from the readers to the stores: an API server never outlives its etcd', async () => {
    const order: string[] = [];
    const living = new Set<number>();
    const names = ['etcd', 'kube-apiserver', 'kvstoremesh', 'mesh-etcd', 'kwok', 'strange'];
    const all = names.map((name, pid) => ({ pid, startTime: '', key: `mesh-001/${name}` }));
    all.forEach(({ pid }) => living.add(pid));
    const processes: Processes = {
      ...systemProcesses,
      state: ({ pid }) => (living.has(pid) ? 'running' : 'gone'),
      signalGroup: ({ pid }) => {
        order.push(names[pid] ?? '');
        living.delete(pid);
        return 'sent';
      },
    };
    expect(await endInOrder(all, { ...test.world, processes })).toEqual([]);
    expect(order).toEqual([
      'kvstoremesh',
      'kwok',
      'kube-apiserver',
      'etcd',
      'mesh-etcd',
      'strange',
    ]);
  });
});

/** A clock that moves a second at every look, so that budgets are spent at once. */
function fast(): () => bigint {
  let now = 0n;
  return () => (now += 1_000_000_000n);
}
