import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { componentsOf } from '../../local/components/catalogue.js';
import { systemProcesses } from '../../workload/platform/system-processes.js';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import { accessFromKubeconfig } from '../../workload/kube/kubeconfig.js';
import { createLocalMesh, killOne, type LocalMesh } from '../helpers/local-mesh.js';

/** Real processes on a machine that may be busy with other tests. */
const STEP = 240_000;

let mesh: LocalMesh;
let ports: readonly number[] = [];
beforeAll(async () => {
  mesh = await createLocalMesh();
});
afterAll(() => mesh.remove(), STEP);

const pids = async (): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries((await mesh.records()).map(({ role, name, pid }) => [`${role}/${name}`, pid]));

describe('a local mesh of two clusters', () => {
  it(
    'comes up, with a Service seen both ways, and tells how to reach each cluster',
    async () => {
      const up = await mesh.up('--clusters', '2', '--nodes', '5');
      expect(up).toMatchObject({ code: 0 });
      expect(up.stderr).toContain('a Service is seen over 2 of 2 links');
      expect(up.stdout).toContain(`${mesh.stateDir}/mesh-002/kubeconfig`);
      ports = await mesh.ports();
    },
    STEP,
  );

  it(
    'says that it is complete, what is real and what it cannot show',
    async () => {
      const status = await mesh.status();
      expect(status).toMatchObject({ state: 'complete', unrecorded: [] });
      expect(status.components.map(({ role, name, state }) => `${role}/${name} ${state}`)).toEqual(
        componentsOf(['mesh-001', 'mesh-002']).map(({ role, name }) => `${role}/${name} running`),
      );
      expect(status.links).toEqual([
        { pair: 'mesh-001--mesh-002', state: 'synced' },
        { pair: 'mesh-002--mesh-001', state: 'synced' },
      ]);
      expect(status.versions).toMatchObject({ kvstoremesh: '1.20.2' });
      expect(status.stoodIn.join()).toContain('CiliumEndpoint');
      expect(status.notShown.join()).toContain('packets');
    },
    STEP,
  );

  it(
    'lets a kubeconfig read what is in a cluster, and keeps it private',
    async () => {
      const file = join(mesh.stateDir, 'mesh-001', 'kubeconfig');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const client = createKubeClient(await accessFromKubeconfig(file, 'mesh-001'));
      const { items } = await client.list('/api/v1/nodes');
      expect(items.map(({ metadata }) => metadata.name)).toContain('mesh-001-node-005');
      const ciliumNodes = await client.list('/apis/cilium.io/v2/ciliumnodes');
      expect(ciliumNodes.items).toHaveLength(5);
      await client.close();
    },
    STEP,
  );

  it(
    'is left alone by a second `up` without flags',
    async () => {
      const before = await pids();
      expect(await mesh.up()).toMatchObject({ code: 0 });
      expect(await pids()).toEqual(before);
    },
    STEP,
  );

  it(
    'is repaired by `up` when a component was killed by hand, and only that is started anew',
    async () => {
      const before = await pids();
      killOne(await mesh.record('mesh-002', 'kvstoremesh'));
      expect((await mesh.status()).state).toBe('unwell');
      expect(await mesh.up()).toMatchObject({ code: 0 });
      const after = await pids();
      const changed = Object.keys(after).filter((key) => after[key] !== before[key]);
      expect(changed).toEqual(['mesh-002/kvstoremesh']);
      expect((await mesh.status()).state).toBe('complete');
    },
    STEP,
  );

  it(
    'goes down and leaves no process, no file and no port',
    async () => {
      const records = await mesh.records();
      const down = await mesh.down();
      expect(down).toMatchObject({ code: 0 });
      expect(down.stderr).toContain(`${records.length} processes ended, nothing left`);
      expect(await mesh.leftovers(ports)).toEqual([]);
      expect(records.filter((one) => systemProcesses.state(one) !== 'gone')).toEqual([]);
      expect(await mesh.down()).toMatchObject({ code: 0 });
    },
    STEP,
  );
});
