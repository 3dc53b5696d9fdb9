import { App, TerraformStack } from 'cdktf';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider/index.js';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { ClusterSpec, Fleet, FleetMesh, MeshCluster, VnetPeeringMesh } from 'meshscale/constructs';
import type { MeshSpec } from 'meshscale/model';

// Unlike clusters from a typed spec; what is wrong with it is told all at once when it is synthesized.
const spec: MeshSpec = {
  schemaVersion: 1,
  name: 'two-regions',
  region: 'eastus2euap',
  defaults: { nodes: 5 },
  clusters: [
    { number: 1 },
    { number: 2, nodes: 20 },
    { number: 3, region: 'canadacentral' },
    { number: 4, region: 'canadacentral', nodeSize: 'Standard_D8s_v5' },
  ],
};

const app = new App();
const stack = new TerraformStack(app, 'mesh');
new AzurermProvider(stack, 'azurerm', { features: [{}] });
new NullProvider(stack, 'null');

const resourceGroup = { name: spec.name, location: spec.region };
const clusters = new MeshCluster(stack, 'mesh', {
  clusters: new ClusterSpec(stack, 'clusters', { spec }),
  resourceGroup,
  meshName: spec.name,
});
const network = new VnetPeeringMesh(stack, 'peering', { clusters });
const fleet = new Fleet(stack, 'fleet', { resourceGroup, name: spec.name });
new FleetMesh(stack, 'fleet-mesh', { clusters, network, fleet });
app.synth();
