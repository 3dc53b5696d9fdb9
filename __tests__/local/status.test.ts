import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { componentsOf } from '../../local/components/catalogue.js';
import { clusterCredentials, ensureMeshAuthority } from '../../local/credentials.js';
import { localInventory } from '../../local/inventory.js';
import { DEFAULT_SPEC } from '../../local/spec.js';
import { meshFile } from '../../local/state/mesh-file.js';
import { openProcessTable } from '../../local/state/process-file.js';
import { planPorts } from '../../local/state/port-plan.js';
import { meshStatus } from '../../local/status.js';
import { withMeshLock } from '../../local/world.js';
import type { ProcessState, Processes } from '../../workload/platform/processes.js';
import { systemRandom } from '../../workload/platform/random.js';
import { systemProcesses } from '../../workload/platform/system-processes.js';
import { createLocalWorld, type TestLocalWorld } from '../helpers/local-world.js';

const VERSIONS = {
  etcd: '3.6.12',
  'kube-apiserver': '1.36.3',
  'kube-controller-manager': '1.36.3',
  'kube-scheduler': '1.36.3',
  kwok: '0.8.0',
  kvstoremesh: '1.20.2',
  'clustermesh-apiserver': '1.15.19',
  prometheus: '2.42.0',
};

let test: TestLocalWorld;
beforeEach(async () => {
  test = await createLocalWorld();
});
afterEach(() => test.remove());

/** A mesh of two clusters on paper, with a record for every process; nothing of it runs. */
const writeMesh = async (completedClusters = 2): Promise<void> => {
  await mkdir(test.paths.root, { recursive: true });
  const ports = await planPorts(2, {}, systemRandom);
  const facts = { stateDir: test.paths.root, spec: DEFAULT_SPEC, ports, versions: VERSIONS };
  const inventory = localInventory({ ...facts, createdAt: 0 });
  await meshFile(test.paths.meshFile).write({
    spec: DEFAULT_SPEC,
    completedClusters,
    ports,
    inventory,
  });
  const table = await openProcessTable(test.paths.processFile);
  for (const [index, one] of componentsOf(['mesh-001', 'mesh-002']).entries()) {
    const identity = { pid: 1_000_000 + index, startTime: 'x', pgid: 1_000_000 + index };
    await table.put({ ...one, ...identity, ports: {}, log: '', fingerprint: '' });
  }
};
const marking = (pids: readonly number[]) => ({
  findByEnvironment: () => pids.map((pid) => ({ pid, startTime: 'x', group: pid })),
});
/** Processes of which everyone is as `state` says, and those with our mark are `marked`. */
const machine = (state: ProcessState, marked: readonly number[] = []): Processes => ({
  ...systemProcesses,
  state: () => state,
  ...marking(marked),
  environmentOf: () => 'mesh-001/etcd',
});
const look = (processes: Processes) => meshStatus(test.paths.root, { ...test.world, processes });

describe('the status of a local mesh', () => {
  it('knows nothing about links when what holds them does not run', async () => {
    await writeMesh();
    const status = await look(machine('gone'));
    expect(status.state).toBe('unwell');
    expect(status.links.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    expect(status.versions).toEqual(VERSIONS);
  });

  it('knows nothing about links, within its time, when the mesh etcd does not answer', async () => {
    await writeMesh();
    const now = test.world.clock.now();
    for (const role of ['mesh-001', 'mesh-002']) {
      const directories = { cluster: test.paths.cluster(role).pki, mesh: test.paths.pki };
      await ensureMeshAuthority(test.paths.pki, now);
      await clusterCredentials(role, directories, now);
    }
    const status = await look(machine('running'));
    expect(status.links.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    expect(status.state).toBe('unwell');
  }, 30_000);

  it('is incomplete when the last `up` did not come to its end', async () => {
    await writeMesh(1);
    expect((await look(machine('gone'))).state).toBe('incomplete');
  });

  it('names processes with our mark that no record knows', async () => {
    await writeMesh();
    const { unrecorded } = await look(machine('gone', [77, 1_000_000]));
    expect(unrecorded).toEqual(['mesh-001/etcd (77)']);
  });

  it('says who changes the mesh, and calls nothing a leftover meanwhile', async () => {
    await writeMesh();
    await withMeshLock(test.paths.root, 'meshscale up', test.world, async () => {
      const { findByEnvironment } = marking([77]);
      const processes = { ...systemProcesses, findByEnvironment };
      const status = await look(processes);
      expect(status.changedBy).toBe(`meshscale up (process ${process.pid})`);
      expect(status.unrecorded).toEqual([]);
    });
  });

  it('fails without a mesh, and names what still runs of one', async () => {
    await expect(look(machine('gone'))).rejects.toMatchObject({
      code: 'mesh/not-there',
      given: test.paths.root,
    });
    await expect(look(machine('running', [77]))).rejects.toMatchObject({
      given: expect.stringContaining('mesh-001/etcd (77)'),
      next: expect.stringContaining('meshscale down'),
    });
  });
});
