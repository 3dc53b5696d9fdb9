import { describe, expect, it } from '@jest/globals';
import { ClusterVariable } from '../../constructs/cluster-variable.js';
import { MeshCluster } from '../../constructs/mesh-cluster.js';
import { oneCluster } from '../../constructs/one-cluster.js';
import { SharedVnet } from '../../constructs/shared-vnet.js';
import { only, synthesize } from '../helpers/terraform/synthesized.js';

const resourceGroup = { name: 'group', location: 'eastus2euap' };

describe('MeshCluster', () => {
  it('needs only clusters, a group and a name', () => {
    const terraform = synthesize((stack) => {
      const clusters = new ClusterVariable(stack, 'clusters');
      new MeshCluster(stack, 'mesh', { clusters, resourceGroup, meshName: 'weekly' });
    });
    expect(only(terraform, 'azurerm_kubernetes_cluster')).toMatchObject({
      for_each: '${local.clusters}',
      name: '${each.key}',
      sku_tier: 'Standard',
      node_os_upgrade_channel: 'None',
      default_node_pool: { node_count: 20, vm_size: 'Standard_D4s_v5', max_pods: 110 },
      network_profile: {
        network_plugin: 'azure',
        network_data_plane: 'cilium',
        network_policy: 'cilium',
        advanced_networking: { observability_enabled: true, security_enabled: true },
      },
      tags: { meshscale: 'weekly', 'meshscale-role': '${each.key}' },
    });
    expect(only(terraform, 'azurerm_kubernetes_cluster')).not.toHaveProperty(
      'automatic_upgrade_channel',
    );
    expect(only(terraform, 'azurerm_kubernetes_cluster_node_pool')).toMatchObject({
      name: 'prompool',
      node_count: 1,
      vm_size: 'Standard_D8s_v5',
      node_labels: { prometheus: 'true' },
    });
  });

  it('takes everything that can be said', () => {
    const terraform = synthesize((stack) => {
      new MeshCluster(stack, 'west', {
        clusters: oneCluster({ number: 7 }),
        resourceGroup,
        meshName: 'weekly',
        vnet: SharedVnet.fromVnetAttributes({
          vnetId: '/subscriptions/s/resourceGroups/n/providers/Microsoft.Network/virtualNetworks/v',
          vnetName: 'v',
          resourceGroupName: 'n',
        }),
        podNetwork: 'overlay',
        preset: 'small',
        nodes: 3,
        nodeSize: 'Standard_D2s_v5',
        prometheusSize: 'Standard_D4s_v5',
        maxPods: 50,
        kubernetesVersion: '1.33',
        deletionDueTime: '2027-01-01T00:00:00Z',
        tags: { owner: 'net' },
        settleTimeout: '40m',
      });
    });
    const cluster = only(terraform, 'azurerm_kubernetes_cluster');
    expect(cluster).not.toHaveProperty('for_each');
    expect(cluster).toMatchObject({
      name: '${"mesh-007"}',
      kubernetes_version: '1.33',
      default_node_pool: { node_count: 3, vm_size: 'Standard_D2s_v5', max_pods: 50 },
      network_profile: { network_plugin_mode: 'overlay', pod_cidr: '${"10.7.16.0/20"}' },
      tags: { owner: 'net', 'deletion-due-time': '2027-01-01T00:00:00Z' },
    });
    expect(terraform.resource).not.toHaveProperty('azurerm_virtual_network');
    expect(Object.keys(terraform.resource?.['azurerm_subnet'] ?? {})).toEqual(['west_nodes']);
  });

  it('delegates the pod subnet to AKS and not the node subnet', () => {
    const terraform = synthesize((stack) => {
      const clusters = oneCluster({ number: 1 });
      new MeshCluster(stack, 'mesh', { clusters, resourceGroup, meshName: 'm' });
    });
    const subnets = terraform.resource?.['azurerm_subnet'] ?? {};
    expect(subnets['mesh_pods']).toMatchObject({
      delegation: [{ service_delegation: { name: 'Microsoft.ContainerService/managedClusters' } }],
    });
    expect(subnets['mesh_nodes']).not.toHaveProperty('delegation');
  });

  it('gives the identity its role before the cluster, and the pool after the cluster is at rest', () => {
    const terraform = synthesize((stack) => {
      const clusters = new ClusterVariable(stack, 'clusters');
      new MeshCluster(stack, 'mesh', { clusters, resourceGroup, meshName: 'm' });
    });
    expect(only(terraform, 'azurerm_kubernetes_cluster')).toMatchObject({
      depends_on: ['azurerm_role_assignment.mesh_network_contributor'],
    });
    expect(only(terraform, 'azurerm_role_assignment')).toMatchObject({
      role_definition_name: 'Network Contributor',
      scope: '${azurerm_virtual_network.mesh[each.key].id}',
    });
    expect(only(terraform, 'azurerm_kubernetes_cluster_node_pool')).toMatchObject({
      depends_on: ['null_resource.mesh_settled'],
    });
    expect(only(terraform, 'null_resource')).toMatchObject({
      triggers: { cluster_id: '${azurerm_kubernetes_cluster.mesh[each.key].id}' },
    });
  });
});
