import { describe, expect, it } from '@jest/globals';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inventorySchema } from '../../../model/inventory.js';
import { seedCluster } from '../../../sim/fleet-service/routes/cluster-routes.js';
import { userErrorsOf } from '../../../model/user-error.js';
import { tellInventory, type InventoryFlags } from '../../../workload/commands/inventory-action.js';
import { testCommand, type TestCommand } from '../../helpers/command-context.js';
import { clusterId } from '../../helpers/fleet-world.js';
import { withFleetServer, type RunningFleet } from '../../helpers/fleet-server.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly json?: boolean;
}

async function inventory(
  verb: string,
  place: Place,
  flags: Partial<InventoryFlags> = {},
): Promise<TestCommand> {
  const command = testCommand(place);
  await tellInventory(verb, { tag: [], ...flags }, command.context);
  return command;
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return userErrorsOf(error)
      .map(({ code, exit, given }) => `${exit} ${code}: ${given ?? ''}`)
      .join();
  }
  return 'it did not fail';
}

const SUBSCRIPTION = '1b6a0000-0000-0000-0000-000000000001';

const INVENTORY = {
  schemaVersion: 1,
  target: 'azure',
  meshName: 'mesh',
  createdAt: '2026-07-13T08:00:00Z',
  partial: false,
  expectedClusters: 1,
  network: { mode: 'peering' },
  clusters: [
    {
      role: 'mesh-001',
      number: 1,
      nodes: 20,
      podCidrs: ['10.1.16.0/20'],
      nodeCidrs: ['10.1.0.0/22'],
      serviceCidrs: ['192.168.0.0/20'],
      podNetwork: 'flat',
      datapath: true,
      access: { kind: 'aks', resourceId: clusterId('mesh-001') },
    },
  ],
};

/** A terraform that puts `answer` out, whatever it is asked. */
async function fakeTerraform(folder: string, script: string): Promise<string> {
  const file = join(folder, 'terraform');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

function tagClusters({ service }: RunningFleet, names: readonly string[], mesh = 'm1'): void {
  for (const name of names) {
    seedCluster(service.state, clusterId(name), {
      tags: { meshscale: mesh, 'meshscale-role': name },
      properties: {
        currentKubernetesVersion: '1.33.2',
        networkProfile: { serviceCidr: '192.168.0.0/20' },
      },
    });
  }
}

describe('meshscale inventory', () => {
  it('shows and exports what the only stack has put out', async () => {
    await withTemporaryFolder(async (folder) => {
      await mkdir(join(folder, 'cdktf.out', 'stacks', 'mesh'), { recursive: true });
      await writeFile(join(folder, 'answer.json'), JSON.stringify(INVENTORY));
      const script = `[ "$*" = "output -no-color -json inventory" ] && cat ${folder}/answer.json`;
      const TERRAFORM_BINARY_NAME = await fakeTerraform(folder, script);
      const place = { cwd: folder, env: { ...process.env, TERRAFORM_BINARY_NAME } };
      const shown = await inventory('show', place);
      expect(shown.data.join('\n').split('\n')).toEqual([
        'mesh  azure, 1 of 1 clusters, network peering',
        'mesh-001  version ?, 20 nodes, pods 10.1.16.0/20, nodes 10.1.0.0/22',
      ]);
      await inventory('export', place, { out: 'i.json' });
      const written: unknown = JSON.parse(await readFile(join(folder, 'i.json'), 'utf8'));
      expect(inventorySchema.parse(written)).toEqual(INVENTORY);
    });
  });

  it('finds clusters by their tags, and says when some are missing', async () => {
    await withFleetServer(1, {}, async (running) => {
      tagClusters(running, ['mesh-001', 'mesh-003']);
      const env = { ...running.env, AZURE_SUBSCRIPTION_ID: SUBSCRIPTION };
      const { documents } = await inventory('discover', { env, json: true });
      expect(inventorySchema.parse(documents[0])).toMatchObject({
        target: 'azure',
        meshName: 'm1',
        partial: true,
        expectedClusters: 3,
        clusters: [
          { role: 'mesh-001', nodes: 2, kubernetesVersion: '1.33.2' },
          { role: 'mesh-003', serviceCidrs: ['192.168.0.0/20'] },
        ],
      });
    });
  });

  it('looks for clusters itself where no stack was synthesized', async () => {
    await withFleetServer(1, {}, async (running) => {
      tagClusters(running, ['mesh-001']);
      const env = { ...running.env, AZURE_SUBSCRIPTION_ID: SUBSCRIPTION };
      const { data } = await inventory('show', { env, cwd: running.folder });
      expect(data.join()).toContain('m1  azure, 1 of 1 clusters');
    });
  });

  it('fails for clusters of several meshes, for none, and for two of one role', async () => {
    await withFleetServer(1, {}, async (running) => {
      const env = { ...running.env, AZURE_SUBSCRIPTION_ID: SUBSCRIPTION };
      const discovered = (tag: readonly string[] = []): Promise<string> =>
        refusal(inventory('discover', { env }, { tag }));
      expect(await discovered()).toContain(
        'infrastructure inventory/not-discovered: meshscale: no',
      );
      tagClusters(running, ['mesh-001'], 'm1');
      tagClusters(running, ['mesh-002'], 'm2');
      expect(await discovered()).toContain('clusters of several meshes: m1, m2');
      expect(await discovered(['meshscale=m1'])).toBe('it did not fail');
      seedCluster(running.service.state, clusterId('twin'), {
        tags: { meshscale: 'm1', 'meshscale-role': 'mesh-001' },
      });
      expect(await discovered(['meshscale=m1'])).toContain('several clusters are mesh-001');
    });
  });

  it('fails for a tag that is none, several stacks, an export to nowhere, and no outputs', async () => {
    await withTemporaryFolder(async (folder) => {
      const place = { env: process.env, cwd: folder };
      const bad = await refusal(inventory('discover', place, { tag: ['meshscale'] }));
      expect(bad).toBe('bad-input inventory/bad-tag: meshscale');
      expect(await refusal(inventory('export', place))).toContain('bad-input fleet/bad-argument');
      const TERRAFORM_BINARY_NAME = await fakeTerraform(folder, 'echo no output >&2; exit 1');
      const failing = { cwd: folder, env: { ...process.env, TERRAFORM_BINARY_NAME } };
      const failed = await refusal(inventory('show', failing, { stack: '.' }));
      expect(failed).toBe('infrastructure inventory/no-outputs: no output');
    });
  });
});
