import { describe, expect, it, jest } from '@jest/globals';
import { loadSpec, type LoadedSpec } from '../../stacks/load-spec.js';
import { withTerraformWorld } from '../helpers/terraform/terraform-world.js';

jest.setTimeout(180_000);

describe('a mesh of unlike clusters under a real terraform', () => {
  it('is made as the spec says, loses a cluster, gets another, and is destroyed', async () => {
    await withTerraformWorld(
      async (world) => {
        const apply = () => world.terraform('apply', '-input=false', '-auto-approve');
        const cluster = (role: string) => {
          const id = world.cloud
            .ids('azurerm_kubernetes_cluster')
            .find((each) => each.endsWith(role));
          return world.cloud.read(id ?? '');
        };
        expect(await apply()).toMatchObject({ code: 0 });
        expect(world.mesh.attached).toEqual(['mesh-001', 'mesh-002', 'mesh-007']);
        expect(cluster('mesh-001')).toMatchObject({
          location: 'eastus2euap',
          default_node_pool: [{ node_count: 2, vm_size: 'Standard_D2s_v5', max_pods: 110 }],
        });
        expect(cluster('mesh-007')).toMatchObject({
          location: 'canadacentral',
          kubernetes_version: '1.33',
          default_node_pool: [{ node_count: 5, vm_size: 'Standard_D8s_v5', max_pods: 50 }],
        });
        expect((await apply()).text).toContain('0 added, 0 changed, 0 destroyed');
        world.events();

        await world.respecify(specOf(1, 7, 9));
        expect(await apply()).toMatchObject({ code: 0 });
        expect(world.mesh.attached).toEqual(['mesh-001', 'mesh-007', 'mesh-009']);
        const events = world.events();
        const order = [
          'leave mesh-002',
          `${DELETE}_fleet_member mesh-002`,
          `${DELETE}_cluster mesh-002`,
        ];
        expect(events.filter((line) => line.endsWith('mesh-002'))).toEqual(order);
        expect(events).not.toContainEqual(expect.stringMatching(/(leave|delete).* mesh-00[17]$/));

        expect(await world.destroy()).toMatchObject({ code: 0 });
        expect(world.cloud.size).toBe(0);
        expect(world.cloud.events.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
      },
      {},
      specOf(1, 2, 7),
    );
  });
});

const DELETE = 'delete azurerm_kubernetes';

const CLUSTERS: Readonly<Record<number, object>> = {
  1: { nodes: 2, nodeSize: 'Standard_D2s_v5' },
  2: { nodes: 3 },
  7: {
    region: 'canadacentral',
    nodes: 5,
    nodeSize: 'Standard_D8s_v5',
    maxPods: 50,
    kubernetesVersion: '1.33',
  },
  9: { nodes: 2 },
};

function specOf(...numbers: readonly number[]): LoadedSpec {
  const clusters = numbers.map((number) => ({ number, ...CLUSTERS[number] }));
  const spec = { schemaVersion: 1, name: 'unlike', region: 'eastus2euap', clusters };
  return loadSpec(JSON.stringify(spec), 'specs/unlike.yaml');
}
