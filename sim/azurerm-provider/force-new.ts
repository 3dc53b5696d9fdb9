/**
 * Arguments whose change makes azurerm delete a resource and create it anew; everything else is
 * updated in place. Not in the bindings. @see the provider's documentation, 4.55 ("Changing this
 * forces a new resource")
 */
export function forcesReplacement(type: string, attribute: string): boolean {
  return (FORCE_NEW[type] ?? ALWAYS).includes(attribute);
}

const ALWAYS = ['name', 'location', 'resource_group_name'];

const FORCE_NEW: Readonly<Record<string, readonly string[]>> = {
  azurerm_subnet: ['name', 'resource_group_name', 'virtual_network_name'],
  azurerm_virtual_network_peering: [
    'name',
    'resource_group_name',
    'virtual_network_name',
    'remote_virtual_network_id',
  ],
  azurerm_kubernetes_cluster: [...ALWAYS, 'dns_prefix'],
  azurerm_kubernetes_cluster_node_pool: [
    'name',
    'kubernetes_cluster_id',
    'vnet_subnet_id',
    'pod_subnet_id',
  ],
  azurerm_kubernetes_fleet_member: ['name', 'kubernetes_cluster_id', 'kubernetes_fleet_id'],
  azurerm_role_assignment: ['name', 'scope', 'principal_id', 'role_definition_name'],
  azurerm_network_manager_network_group: ['name', 'network_manager_id'],
  azurerm_network_manager_static_member: ['name', 'network_group_id', 'target_virtual_network_id'],
  azurerm_network_manager_connectivity_configuration: ['name', 'network_manager_id'],
  azurerm_network_manager_deployment: ['network_manager_id', 'location', 'scope_access'],
  null_resource: ['triggers'],
};
