import { describe, expect, it } from '@jest/globals';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { InventoryCluster } from '../../../model/inventory.js';
import { seedCluster } from '../../../sim/fleet-service/routes/cluster-routes.js';
import { openAccess } from '../../../workload/commands/open-access.js';
import { testCommand } from '../../helpers/command-context.js';
import { withFleetServer } from '../../helpers/fleet-server.js';
import { clusterId } from '../../helpers/fleet-world.js';

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: c
contexts: [{ name: c, context: { cluster: k, user: u } }]
clusters: [{ name: k, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: u, user: { token: of-the-cluster } }]
`;

const cluster: InventoryCluster = {
  role: 'mesh-001',
  number: 1,
  nodes: 2,
  podCidrs: [],
  nodeCidrs: [],
  serviceCidrs: [],
  podNetwork: 'flat',
  datapath: true,
  access: { kind: 'aks', resourceId: clusterId('mesh-001') },
};

describe('access of a run to AKS clusters', () => {
  it('stands in the private folder while it is open, and nothing of it stays', async () => {
    await withFleetServer(1, {}, async ({ env, folder, service }) => {
      seedCluster(service.state, clusterId('mesh-001'), { kubeconfig: KUBECONFIG });
      const home = join(folder, 'home');
      await mkdir(home);
      const { context } = testCommand({ env: { ...env, HOME: home }, cwd: folder });
      const run = join(folder, 'runs', 'r1');
      const access = openAccess(() => Promise.resolve(join(run, 'private')), context);
      const { kube } = await access.source(cluster);
      expect(kube.credential).toEqual({ kind: 'token', token: 'of-the-cluster' });
      expect((await stat(join(run, 'private'))).mode & 0o777).toBe(0o700);
      await access.close();
      expect(await readdir(join(folder, 'runs'))).toEqual([]);
      // The user's own kubeconfig is never written.
      expect(await readdir(home)).toEqual([]);
    });
  });

  it('asks Azure for nothing, and makes no folder, where there are no AKS clusters', async () => {
    await withFleetServer(1, {}, async ({ env, folder, service }) => {
      const { context } = testCommand({ env, cwd: folder });
      const access = openAccess(() => Promise.reject(new Error('not to be asked')), context);
      const local = {
        ...cluster,
        access: { kind: 'local', stateDir: join(folder, 'none') },
      } as const;
      await expect(access.source(local)).rejects.toThrow();
      await access.close();
      expect(service.state.journal).toEqual([]);
    });
  });
});
