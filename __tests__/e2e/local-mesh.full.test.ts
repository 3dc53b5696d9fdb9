import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { localMeshEtcdAccess } from '../../local/access.js';
import { componentsOf } from '../../local/components/catalogue.js';
import { meshFile } from '../../local/state/mesh-file.js';
import { createEtcdClient } from '../../workload/kube/etcd/grpc-etcd-client.js';
import { systemProcesses } from '../../workload/platform/system-processes.js';
import { cli, type CliResult, type RunningCli } from '../helpers/cli.js';
import { createLocalMesh, killOne, type LocalMesh } from '../helpers/local-mesh.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(600_000);

const FEW = ['--nodes', '3'];
let mesh: LocalMesh;
beforeAll(async () => {
  mesh = await createLocalMesh();
});
afterAll(() => mesh.remove());

const good = (result: CliResult): void => {
  if (result.code !== 0) throw new Error(`exit ${result.code ?? 'by signal'}: ${result.stderr}`);
};
const pids = async (): Promise<ReadonlyMap<string, number>> =>
  new Map((await mesh.records()).map(({ role, name, pid }) => [`${role}/${name}`, pid]));
const changedSince = async (before: ReadonlyMap<string, number>): Promise<readonly string[]> =>
  [...(await pids())].filter(([key, pid]) => before.get(key) !== pid).map(([key]) => key);
const keysAbout = async (reader: string, source: string): Promise<readonly string[]> => {
  const etcd = createEtcdClient(await localMeshEtcdAccess(mesh.stateDir, reader));
  const { entries } = await etcd.readPrefix('cilium/');
  etcd.close();
  return entries.map(({ key }) => key).filter((key) => key.includes(source));
};
/** Waits for words of a running command line. */
const said = async (running: RunningCli, words: string): Promise<void> => {
  while (!running.text().includes(words) && running.child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

describe('a mesh that changes its size', () => {
  it('grows from 2 to 3 without touching what runs', async () => {
    good(await mesh.up('--clusters', '2', ...FEW));
    const before = await pids();
    good(await mesh.up('--clusters', '3'));
    // Prometheus has new targets; everything else of the old clusters goes on.
    const changed = (await changedSince(before)).filter((key) => !key.startsWith('mesh-003/'));
    expect(changed).toEqual(['mesh/prometheus']);
    const { state, links } = await mesh.status();
    expect({ state, links: links.length }).toEqual({ state: 'complete', links: 6 });
    expect(await keysAbout('mesh-001', 'mesh-003')).not.toEqual([]);
  });

  it('shrinks from 3 to 2, and no cache holds a key of the removed one', async () => {
    const third = (await mesh.records()).filter(({ role }) => role === 'mesh-003');
    good(await mesh.up('--clusters', '2'));
    for (const reader of ['mesh-001', 'mesh-002']) {
      expect(await keysAbout(reader, 'mesh-003')).toEqual([]);
    }
    expect(third.filter((one) => systemProcesses.state(one) !== 'gone')).toEqual([]);
    expect((await mesh.status()).state).toBe('complete');
  });
});

describe('a mesh in which something was broken by hand', () => {
  it.each(componentsOf(['mesh-001']))('is repaired after $role/$name was killed', async (one) => {
    killOne(await mesh.record(one.role, one.name));
    expect((await mesh.status()).state).toBe('unwell');
    good(await mesh.up());
    expect((await mesh.status()).state).toBe('complete');
  });

  it.each(['mesh-etcd', 'kube-apiserver', 'kvstoremesh'])(
    'says that %s is stopped, and is repaired',
    async (name) => {
      killOne(await mesh.record('mesh-002', name), 'SIGSTOP');
      const { state, components } = await mesh.status();
      const frozen = components.find((it) => it.role === 'mesh-002' && it.name === name);
      expect({ state, of: frozen?.state }).toEqual({ state: 'unwell', of: 'stopped' });
      good(await mesh.up());
      expect((await mesh.status()).state).toBe('complete');
    },
  );

  it('is brought up anew when its state folder was deleted under it', async () => {
    const before = await mesh.records();
    await rm(mesh.stateDir, { recursive: true });
    const status = await cli(['mesh', 'status', '--state', mesh.stateDir]);
    expect(status.code).toBe(5);
    expect(status.stderr).toContain('processes of one still run: ');
    good(await mesh.up('--clusters', '2', ...FEW));
    expect(before.filter((one) => systemProcesses.state(one) !== 'gone')).toEqual([]);
    expect((await mesh.status()).unrecorded).toEqual([]);
  });

  it('is ended by `down` also when a process is stopped', async () => {
    const ports = await mesh.ports();
    killOne(await mesh.record('mesh-001', 'etcd'), 'SIGSTOP');
    good(await mesh.down());
    expect(await mesh.leftovers(ports)).toEqual([]);
  });
});

describe('two at once', () => {
  let other: LocalMesh;
  beforeAll(async () => {
    other = await createLocalMesh();
  });
  afterAll(() => other.remove());

  it('are two meshes in two state folders', async () => {
    const ups = [mesh.up('--clusters', '2', ...FEW), other.up('--clusters', '2', ...FEW)];
    for (const up of await Promise.all(ups)) good(up);
    expect([(await mesh.status()).state, (await other.status()).state]).toEqual([
      'complete',
      'complete',
    ]);
    const otherPorts = new Set(await other.ports());
    expect((await mesh.ports()).filter((port) => otherPorts.has(port))).toEqual([]);
    good(await other.down());
    expect((await mesh.status()).state).toBe('complete');
  });

  it('fail with 8 in one state folder, and the first goes on', async () => {
    good(await mesh.down());
    const first = mesh.startUp('--clusters', '2', ...FEW);
    await said(first, 'mesh-001');
    const second = await mesh.up();
    expect(second.code).toBe(8);
    expect(second.stderr).toContain('mesh/busy');
    good(await first.ended);
    good(await mesh.down());
  });
});

describe('a first `up`', () => {
  beforeAll(() => mesh.down());
  afterEach(() => mesh.down());

  it('takes other ports when one was taken between the search and the start', async () => {
    const running = mesh.startUp('--clusters', '2', ...FEW);
    let port: number | undefined;
    while (port === undefined && running.child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      port = await portOf('mesh-002', 'apiserver');
    }
    const squatter = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    good(await running.ended);
    await new Promise((resolve) => squatter.close(resolve));
    expect(running.text()).toContain(
      `port ${port ?? 0} (mesh-002 apiserver) was taken by another program: once more`,
    );
    expect(await portOf('mesh-002', 'apiserver')).not.toBe(port);
    expect((await mesh.status()).state).toBe('complete');
  });

  it.each(['mesh-001  starting mesh-etcd', 'kube-apiserver', 'kwok', 'links and kvstoremesh'])(
    'that is interrupted at "%s" cleans up and ends with 130',
    async (words) => {
      const running = mesh.startUp('--clusters', '2', ...FEW);
      await said(running, words);
      const ports = await mesh.ports();
      running.child.kill('SIGINT');
      expect((await running.ended).code).toBe(130);
      expect(await mesh.leftovers(ports)).toEqual([]);
    },
  );

  it('that is interrupted twice leaves at once, and `down` clears what it left', async () => {
    const running = mesh.startUp('--clusters', '2', ...FEW);
    await said(running, 'kube-apiserver');
    running.child.kill('SIGINT');
    await said(running, 'once more leaves at once');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const ports = await mesh.ports();
    good(await mesh.down());
    expect(await mesh.leftovers(ports)).toEqual([]);
  });
});

async function portOf(role: string, purpose: string): Promise<number | undefined> {
  return (await meshFile(`${mesh.stateDir}/mesh.json`).read())?.ports[role]?.[purpose];
}
