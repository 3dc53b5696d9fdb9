import { describe, expect, it } from '@jest/globals';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { connectAzure } from '../../../fleet/connect.js';
import { IN_PROCESS_ORIGIN, sendInProcess } from '../../../sim/fleet-service/in-process.js';
import type { Knobs } from '../../../sim/fleet-service/knobs.js';
import { createMovingClock } from '../../../sim/fleet-service/moving-clock.js';
import { seedCluster } from '../../../sim/fleet-service/routes/cluster-routes.js';
import { createFleetService } from '../../../sim/fleet-service/service.js';
import { aksAccess } from '../../../workload/inventory/aks-access.js';
import { clusterId, seededChance } from '../../helpers/fleet-world.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: c
contexts: [{ name: c, context: { cluster: k, user: u } }]
clusters: [{ name: k, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: u, user: { token: of-the-cluster } }]
`;

async function aks(folder: string, knobs: Partial<Knobs> = {}) {
  const clock = createMovingClock(turn);
  const service = createFleetService(clock, knobs);
  const azure = await connectAzure({
    env: {
      MESHSCALE_ARM_ENDPOINT: IN_PROCESS_ORIGIN,
      AZURE_AUTHORITY_HOST: IN_PROCESS_ORIGIN,
      AZURE_TENANT_ID: 't',
      AZURE_CLIENT_ID: 'c',
      AZURE_CLIENT_SECRET: 's',
    },
    clock,
    chance: seededChance(1),
    run: () => Promise.resolve({ state: 'not-found' }),
    read: () => Promise.reject(new Error('no files')),
    http: () => sendInProcess(service, clock),
  });
  const signal = new AbortController().signal;
  const names = Array.from(
    { length: 80 },
    (_, index) => `mesh-${String(index + 1).padStart(3, '0')}`,
  );
  for (const name of names) seedCluster(service.state, clusterId(name), { kubeconfig: KUBECONFIG });
  const secrets = join(folder, 'private');
  return {
    access: aksAccess({ azure, clock, signal, folder: secrets }),
    names,
    clock,
    service,
    secrets,
  };
}

describe('access to AKS', () => {
  it('fetches credentials into a private folder, one file for each cluster, readable by us alone', async () => {
    await withTemporaryFolder(async (folder) => {
      const { access, secrets } = await aks(folder);
      const kube = await access('mesh-001', clusterId('mesh-001'));
      expect(kube.credential).toEqual({ kind: 'token', token: 'of-the-cluster' });
      expect(await readdir(secrets)).toEqual(['mesh-001.aks.kubeconfig']);
      expect((await stat(secrets)).mode & 0o777).toBe(0o700);
      expect((await stat(join(secrets, 'mesh-001.aks.kubeconfig'))).mode & 0o777).toBe(0o600);
    });
  });

  it('stays below one call a second after the first twenty, however many ask at once', async () => {
    await withTemporaryFolder(async (folder) => {
      const throttle = { size: 60, refillPerSecond: 1, retryAfterSeconds: 5 };
      const { access, names, clock, service } = await aks(folder, { throttle });
      const start = clock.now();
      await Promise.all(names.map((name) => access(name, clusterId(name))));
      expect(clock.now() - start).toBeGreaterThanOrEqual(60 * 1_000);
      expect(service.state.journal.filter(({ status }) => status === 429)).toEqual([]);
    });
  });

  it('repeats faults, and fails at once for a cluster that is not there', async () => {
    await withTemporaryFolder(async (folder) => {
      const faults = [{ match: 'listCluster', times: 2, kind: 'reset' as const }];
      const { access } = await aks(folder, { faults });
      await expect(access('mesh-001', clusterId('mesh-001'))).resolves.toBeDefined();
      await expect(access('mesh-200', clusterId('mesh-200'))).rejects.toMatchObject({
        code: 'inventory/no-credentials',
        given: expect.stringContaining('there is no cluster'),
      });
    });
  });
});
