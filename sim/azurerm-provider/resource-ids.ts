import { createHash } from 'node:crypto';
import type { CtyObject, CtyValue } from './cty-codec.js';

const SUBSCRIPTION = '/subscriptions/00000000-0000-4000-8000-000000000001';

/** The id that Azure would give to a new resource, made of its arguments. */
export function resourceId(type: string, arguments_: CtyObject): string {
  const make = IDS[type];
  if (make === undefined) throw new Error(`the stand-in has no rule for the id of ${type}`);
  return make((name) => text(arguments_[name]));
}

/** Values that Azure makes up beside the id, always the same for the same resource. */
export function madeValues(type: string, id: string): CtyObject {
  const made: Record<string, CtyValue> = { id };
  if (type === 'azurerm_user_assigned_identity') made['principal_id'] = uuid(`principal ${id}`);
  if (type === 'azurerm_kubernetes_cluster') made['current_kubernetes_version'] = '1.33.2';
  if (type === 'azurerm_role_assignment') made['name'] = id.slice(id.lastIndexOf('/') + 1);
  return made;
}

type Argument = (name: string) => string;

const inGroup =
  (kind: string) =>
  (argument: Argument): string =>
    `${SUBSCRIPTION}/resourceGroups/${argument('resource_group_name')}/providers/${kind}/${argument('name')}`;

const under =
  (parent: string, kind: string) =>
  (argument: Argument): string =>
    `${argument(parent)}/${kind}/${argument('name')}`;

const inVnet =
  (kind: string) =>
  (argument: Argument): string =>
    `${SUBSCRIPTION}/resourceGroups/${argument('resource_group_name')}/providers/Microsoft.Network/virtualNetworks/${argument('virtual_network_name')}/${kind}/${argument('name')}`;

const IDS: Readonly<Record<string, (argument: Argument) => string>> = {
  azurerm_resource_group: (argument) => `${SUBSCRIPTION}/resourceGroups/${argument('name')}`,
  azurerm_virtual_network: inGroup('Microsoft.Network/virtualNetworks'),
  azurerm_subnet: inVnet('subnets'),
  azurerm_virtual_network_peering: inVnet('virtualNetworkPeerings'),
  azurerm_user_assigned_identity: inGroup('Microsoft.ManagedIdentity/userAssignedIdentities'),
  azurerm_role_assignment: (argument) =>
    `${argument('scope')}/providers/Microsoft.Authorization/roleAssignments/${uuid(argument('principal_id') + argument('role_definition_name'))}`,
  azurerm_kubernetes_cluster: inGroup('Microsoft.ContainerService/managedClusters'),
  azurerm_kubernetes_cluster_node_pool: under('kubernetes_cluster_id', 'agentPools'),
  azurerm_kubernetes_fleet_manager: inGroup('Microsoft.ContainerService/fleets'),
  azurerm_kubernetes_fleet_member: under('kubernetes_fleet_id', 'members'),
  azurerm_network_manager: inGroup('Microsoft.Network/networkManagers'),
  azurerm_network_manager_network_group: under('network_manager_id', 'networkGroups'),
  azurerm_network_manager_static_member: under('network_group_id', 'staticMembers'),
  azurerm_network_manager_connectivity_configuration: under(
    'network_manager_id',
    'connectivityConfigurations',
  ),
  azurerm_network_manager_deployment: (argument) =>
    `${argument('network_manager_id')}/commit|${argument('location')}|${argument('scope_access')}`,
};

function uuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function text(value: CtyValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
