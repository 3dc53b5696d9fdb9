import type { Construct } from '../constructs/cdk.js';
import { TerraformStack, TerraformVariable, VariableType } from '../constructs/cdk.js';
import { ClusterSpec } from '../constructs/cluster-spec.js';
import type { IClusterSet } from '../constructs/cluster-set.js';
import { ClusterVariable } from '../constructs/cluster-variable.js';
import { CreatedAt } from '../constructs/created-at.js';
import { template, type Expression } from '../constructs/expressions.js';
import { Fleet } from '../constructs/fleet.js';
import { FleetHandler } from '../constructs/fleet-handler.js';
import { FleetMesh } from '../constructs/fleet-mesh.js';
import { InventoryOutput } from '../constructs/inventory-output.js';
import { MeshCluster } from '../constructs/mesh-cluster.js';
import { AzurermProvider, NullProvider, ResourceGroup } from '../constructs/providers.js';
import { declareBackend } from './backend.js';
import { commonVnet, connectClusters } from './network-modes.js';
import type { LoadedSpec } from './load-spec.js';
import type { MeshSettings } from './settings.js';

/** Time after which a test mesh may be cleaned up: longer than the longest run, shorter than a weekend. */
const LIFETIME = '48h';

/** A whole mesh: as many clusters as `--var clusters=N` says, networked and joined by Fleet. */
export class MeshStack extends TerraformStack {
  constructor(scope: Construct, id: string, given: MeshSettings, spec?: LoadedSpec) {
    super(scope, id);
    const settings = spec === undefined ? given : withSpec(given, spec);
    declareBackend(this, settings.backend);
    new AzurermProvider(this, 'azurerm', { features: [{}] });
    new NullProvider(this, 'null');
    if (settings.handlerFile !== undefined) FleetHandler.fromFile(this, settings.handlerFile);
    const createdAt = new CreatedAt(this, 'created');
    const clusters = this.clusters(spec);
    const resourceGroup = this.resourceGroup(settings);
    const vnet = commonVnet(this, settings, resourceGroup);
    const mesh = new MeshCluster(this, 'mesh', {
      clusters,
      resourceGroup,
      meshName: settings.meshName,
      preset: settings.preset,
      deletionDueTime: template(createdAt.plus(this.lifetime())),
      ...(vnet === undefined ? {} : { vnet }),
      ...(settings.kubernetesVersion === undefined
        ? {}
        : { kubernetesVersion: settings.kubernetesVersion }),
    });
    const network = connectClusters(this, settings, resourceGroup, mesh);
    const fleet = new Fleet(this, 'fleet', { resourceGroup, name: settings.meshName });
    const fleetMesh = new FleetMesh(this, 'fleet-mesh', {
      clusters: mesh,
      network,
      fleet,
      revision: template(this.revision()),
    });
    new InventoryOutput(this, 'inventory', {
      meshName: settings.meshName,
      createdAt: createdAt.time,
      clusters: mesh,
      network,
      mesh: fleetMesh,
    });
  }

  private clusters(spec: LoadedSpec | undefined): IClusterSet {
    return spec === undefined
      ? new ClusterVariable(this, 'clusters')
      : new ClusterSpec(this, 'clusters', spec);
  }

  private resourceGroup(settings: MeshSettings): ResourceGroup {
    const group = new ResourceGroup(this, 'group', {
      name: settings.meshName,
      location: settings.region,
      tags: { meshscale: settings.meshName },
    });
    group.overrideLogicalId('group');
    return group;
  }

  private lifetime(): Expression {
    const lifetime = new TerraformVariable(this, 'lifetime', {
      type: VariableType.STRING,
      nullable: false,
      default: LIFETIME,
      description: 'How long after the first apply the clusters may be cleaned up, such as "48h".',
    });
    lifetime.overrideLogicalId('lifetime');
    return 'var.lifetime';
  }

  private revision(): Expression {
    const revision = new TerraformVariable(this, 'mesh_revision', {
      type: VariableType.STRING,
      nullable: false,
      default: '1',
      description: 'Change it to apply the mesh once more, after labels were changed by hand.',
    });
    revision.overrideLogicalId('mesh_revision');
    return 'var.mesh_revision';
  }
}

/** What a spec says of the mesh as a whole wins over the settings. */
function withSpec(settings: MeshSettings, { checked: { mesh } }: LoadedSpec): MeshSettings {
  const { name: meshName, region, network } = mesh;
  return { ...settings, meshName, region, network };
}
