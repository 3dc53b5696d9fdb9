import { describe, expect, it } from '@jest/globals';
import type { TerraformStack } from '../../constructs/cdk.js';
import { Fleet } from '../../constructs/fleet.js';
import { FleetHandler } from '../../constructs/fleet-handler.js';
import { FleetMesh } from '../../constructs/fleet-mesh.js';
import { ListedClusters } from '../../constructs/listed-clusters.js';
import { MeshCluster } from '../../constructs/mesh-cluster.js';
import { oneCluster } from '../../constructs/one-cluster.js';
import { RetiredFleetMesh } from '../../constructs/retired-fleet-mesh.js';
import { UserError } from '../../model/user-error.js';
import { synthesize, type Synthesized } from '../helpers/terraform/synthesized.js';

const resourceGroup = { name: 'group', location: 'eastus2euap' };
const fleetId =
  '/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/fleets/fleet';
const clusterId = (n: number) =>
  `/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c${n}`;

function existing(stack: TerraformStack) {
  const cluster = (n: number) => ({
    clusterId: clusterId(n),
    region: 'eastus2euap',
    nodes: 3,
    nodeCidr: `10.${n}.0.0/22`,
    podCidr: `10.${n}.16.0/20`,
    serviceCidr: '192.168.0.0/20',
    kubernetesVersion: '1.33',
  });
  return ListedClusters.fromClusterAttributes(stack, 'brought', {
    'mesh-001': cluster(1),
    'mesh-002': cluster(2),
  });
}

describe('FleetMesh', () => {
  const terraform = synthesize((stack) => {
    new FleetMesh(stack, 'fleet-mesh', {
      clusters: existing(stack),
      network: { mode: 'existing', connected: [] },
      fleet: Fleet.fromFleetAttributes({ fleetId }),
    });
  });

  it('has no create step where it has a destroy step, so that nothing tainted skips its drain', () => {
    const steps = provisioners(terraform);
    expect(steps).toEqual({
      fleet_mesh_settled: ['create settle'],
      fleet_mesh_seat: ['destroy leave'],
      fleet_mesh_profile: ['destroy drain'],
      fleet_mesh_apply: ['create ensure'],
    });
  });

  it('triggers the draining resources by identities only, so that growing replaces none of them', () => {
    const { fleet_mesh_seat, fleet_mesh_profile } = terraform.resource?.['null_resource'] ?? {};
    expect(Object.keys(fleet_mesh_seat?.['triggers'] ?? {})).toEqual([
      'fleet_id',
      'member',
      'member_id',
      'profile',
    ]);
    expect(Object.keys(fleet_mesh_profile?.['triggers'] ?? {})).toEqual(['fleet_id', 'profile']);
  });

  it('starts the handler without a shell and takes identities at destroy from the state', () => {
    const { fleet_mesh_seat } = terraform.resource?.['null_resource'] ?? {};
    expect(fleet_mesh_seat?.['provisioner']).toEqual([
      {
        'local-exec': {
          command: '2h',
          environment: {
            FLEET_ID: '${self.triggers.fleet_id}',
            MEMBER: '${self.triggers.member}',
            PROFILE: '${self.triggers.profile}',
          },
          interpreter: ['node', expect.stringMatching(/\.mjs$/), 'leave', '--timeout'],
          when: 'destroy',
        },
      },
    ]);
  });

  it('makes no mesh of one cluster', () => {
    const one = synthesize((stack) => {
      const clusters = new MeshCluster(stack, 'mesh', {
        clusters: oneCluster({ number: 1 }),
        resourceGroup,
        meshName: 'm',
      });
      new FleetMesh(stack, 'fleet-mesh', {
        clusters,
        network: { mode: 'existing', connected: [] },
        fleet: Fleet.fromFleetAttributes({ fleetId }),
      });
    });
    const { fleet_mesh_apply, fleet_mesh_profile } = one.resource?.['null_resource'] ?? {};
    expect(fleet_mesh_apply?.['count']).toBe('${1 > 1 ? 1 : 0}');
    expect(fleet_mesh_profile?.['count']).toBe('${1 > 1 ? 1 : 0}');
  });

  it('fails over clusters whose pods have overlay addresses, at synth', () => {
    const synth = () =>
      synthesize((stack) => {
        const clusters = new MeshCluster(stack, 'mesh', {
          clusters: oneCluster({ number: 1 }),
          resourceGroup,
          meshName: 'm',
          podNetwork: 'overlay',
        });
        new FleetMesh(stack, 'fleet-mesh', {
          clusters,
          network: { mode: 'existing', connected: [] },
          fleet: Fleet.fromFleetAttributes({ fleetId }),
        });
      });
    expect(synth).toThrow(
      expect.objectContaining({
        code: 'fleet/overlay-network',
        where: { path: 'stack/fleet-mesh' },
        next: 'leave podNetwork out, or leave FleetMesh out',
      }),
    );
  });
});

describe('RetiredFleetMesh', () => {
  it('drains by the same steps as the mesh that it takes the place of', () => {
    const terraform = synthesize((stack) => {
      new RetiredFleetMesh(stack, 'fleet-mesh');
    });
    expect(terraform.removed).toMatchObject([
      {
        from: 'null_resource.fleet_mesh_profile',
        lifecycle: { destroy: true },
        provisioner: [{ 'local-exec': { when: 'destroy' } }],
      },
      { from: 'null_resource.fleet_mesh_seat' },
    ]);
  });
});

describe('FleetHandler', () => {
  it('fails with what to do when its bundle is not there', () => {
    const synth = () =>
      synthesize((stack) => new FleetHandler(stack, 'other', '/no/such/file.mjs'));
    expect(synth).toThrow(UserError);
    expect(synth).toThrow('the Fleet handler that travels with the stack does not exist');
  });
});

/** `<when> <verb>` of each null_resource. */
function provisioners(terraform: Synthesized): Record<string, readonly string[]> {
  const resources = Object.entries(terraform.resource?.['null_resource'] ?? {});
  return Object.fromEntries(
    resources.map(([name, { provisioner }]) => [
      name,
      (provisioner as { 'local-exec': { when: string; interpreter: string[] } }[]).map(
        ({ 'local-exec': call }) => `${call.when} ${call.interpreter[2] ?? ''}`,
      ),
    ]),
  );
}
