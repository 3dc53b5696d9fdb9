import { App, TerraformStack } from 'cdktf';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider/index.js';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { Fleet, FleetMesh, ListedClusters } from 'meshscale/constructs';

// A mesh over AKS clusters that are there already. They need: Azure CNI powered by Cilium with a pod
// subnet, ACNS, Kubernetes 1.32 or later, networks that reach each other, and for the cluster's
// identity the role Network Contributor on its VNet. The keys name members and are equally long.
const clusterId = (name: string) =>
  `/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shops/providers/Microsoft.ContainerService/managedClusters/${name}`;

const app = new App();
const stack = new TerraformStack(app, 'mesh');
new AzurermProvider(stack, 'azurerm', { features: [{}] });
new NullProvider(stack, 'null');

const clusters = ListedClusters.fromClusterAttributes(stack, 'shops', {
  'mesh-001': {
    clusterId: clusterId('shop-north'),
    region: 'eastus2euap',
    nodes: 12,
    nodeCidr: '10.20.0.0/22',
    podCidr: '10.20.16.0/20',
    serviceCidr: '192.168.0.0/20',
    kubernetesVersion: '1.33',
  },
  'mesh-002': {
    clusterId: clusterId('shop-south'),
    region: 'canadacentral',
    nodes: 8,
    nodeCidr: '10.21.0.0/22',
    podCidr: '10.21.16.0/20',
    serviceCidr: '192.168.0.0/20',
    kubernetesVersion: '1.33',
  },
});
const resourceGroup = { name: 'shops', location: 'eastus2euap' };
const fleet = new Fleet(stack, 'fleet', { resourceGroup, name: 'shops' });
new FleetMesh(stack, 'fleet-mesh', {
  clusters,
  // Somebody else peered these VNets.
  network: { mode: 'existing', connected: [] },
  fleet,
});
app.synth();
