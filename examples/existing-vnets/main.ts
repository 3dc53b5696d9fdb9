import { App, TerraformStack } from 'cdktf';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider/index.js';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import {
  ClusterVariable,
  Fleet,
  FleetMesh,
  MeshCluster,
  SharedVnet,
  SharedVnetMesh,
} from 'meshscale/constructs';

// Clusters in a VNet that somebody else made and keeps: `--var clusters=N` of them, each with its two
// subnets (10.<i>.0.0/22 and 10.<i>.16.0/20 have to lie in its address space).
const group = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/network';
const app = new App();
const stack = new TerraformStack(app, 'mesh');
new AzurermProvider(stack, 'azurerm', { features: [{}] });
new NullProvider(stack, 'null');

const resourceGroup = { name: 'clusters', location: 'eastus2euap' };
const vnet = SharedVnet.fromVnetAttributes({
  vnetId: `${group}/providers/Microsoft.Network/virtualNetworks/hub`,
  vnetName: 'hub',
  resourceGroupName: 'network',
});
const clusters = new MeshCluster(stack, 'mesh', {
  clusters: new ClusterVariable(stack, 'clusters'),
  resourceGroup,
  meshName: 'in-the-hub',
  vnet,
  preset: 'small',
});
const network = new SharedVnetMesh(stack, 'network', { clusters });
const fleet = new Fleet(stack, 'fleet', { resourceGroup, name: 'in-the-hub' });
new FleetMesh(stack, 'fleet-mesh', { clusters, network, fleet });
app.synth();
