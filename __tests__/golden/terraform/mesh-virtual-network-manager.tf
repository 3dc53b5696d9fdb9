terraform {
  required_providers {
    azurerm = {
      version = "4.55.0"
      source  = "azurerm"
    }
    null = {
      version = "3.2.4"
      source  = "null"
    }
  }
  backend "local" {
    path = "../../../terraform.mesh.tfstate"
  }


}

locals {
  clusters    = { for i in range(1, var.clusters + 1) : format("mesh-%03d", i) => { number = i, vnet = "10.${i}.0.0/16", nodes = "10.${i}.0.0/22", pods = "10.${i}.16.0/20", services = "192.168.0.0/20", dns_service_ip = "192.168.0.10" } }
  mesh_region = azurerm_resource_group.group.location
}

provider "azurerm" {
  features {

  }
}

provider "null" {
}
resource "terraform_data" "created" {
  input = plantimestamp()
  lifecycle {
    ignore_changes = [
      "input",
    ]
  }
}

variable "clusters" {
  description = "Number of clusters in the mesh, 1 to 255."
  type        = number
  validation {
    error_message = "clusters must be a whole number from 1 to 255 (Cilium numbers clusters with one byte)."
    condition     = floor(var.clusters) == var.clusters && var.clusters >= 0 && var.clusters <= 255
  }
  validation {
    error_message = "${var.clusters} clusters are more than the network mode virtual-network-manager can hold (250): a connected group holds 250 VNets. To mesh more, use the network mode shared-vnet, or fewer clusters. Nothing was changed."
    condition     = var.clusters <= 250
  }
  validation {
    error_message = "${var.clusters} clusters need ${var.clusters * 21 * 33 + var.clusters} private addresses, more than the 128000 of a connected group: ${var.clusters * 21} nodes with 1 address for the node and 32 for 24 planned pods (batches of 16), and 1 load balancer per cluster. Plan fewer nodes, fewer pods per node (plannedPodsPerNode) or fewer clusters. Nothing was changed."
    condition     = var.clusters * 21 * 33 + var.clusters <= 128000
  }
}
resource "terraform_data" "clusters_guard" {
  lifecycle {
    precondition = [
      {
        condition     = "${var.clusters > 0}"
        error_message = "The number of clusters was not given. Say it with --var clusters=N (1 to 255), or set TF_VAR_clusters. Nothing was changed."
      },
    ]
  }
}
resource "azurerm_resource_group" "group" {
  location = "eastus2euap"
  name     = "meshscale"
  tags = {
    meshscale = "meshscale"
  }
}

variable "lifetime" {
  default     = "48h"
  description = "How long after the first apply the clusters may be cleaned up, such as \"48h\"."
  type        = string
}
resource "azurerm_virtual_network" "mesh" {
  address_space = [
    "${each.value.vnet}"
  ]
  location            = azurerm_resource_group.group.location
  name                = each.key
  resource_group_name = azurerm_resource_group.group.name
  tags = {
    meshscale         = "meshscale"
    meshscale-role    = "${each.key}"
    deletion-due-time = "${timeadd(terraform_data.created.output, var.lifetime)}"
  }
  for_each = local.clusters
}
resource "azurerm_subnet" "mesh_nodes" {
  address_prefixes = [
    "${each.value.nodes}"
  ]
  name                 = "${each.key}-nodes"
  resource_group_name  = azurerm_virtual_network.mesh[each.key].resource_group_name
  virtual_network_name = azurerm_virtual_network.mesh[each.key].name
  for_each             = local.clusters
}
resource "azurerm_subnet" "mesh_pods" {
  address_prefixes = [
    "${each.value.pods}"
  ]
  name                 = "${each.key}-pods"
  resource_group_name  = azurerm_virtual_network.mesh[each.key].resource_group_name
  virtual_network_name = azurerm_virtual_network.mesh[each.key].name
  delegation {
    name = "aks"
    service_delegation {
      actions = [
        "Microsoft.Network/virtualNetworks/subnets/join/action"
      ]
      name = "Microsoft.ContainerService/managedClusters"
    }
  }
  for_each = local.clusters
}
resource "azurerm_user_assigned_identity" "mesh" {
  location            = azurerm_resource_group.group.location
  name                = each.key
  resource_group_name = azurerm_resource_group.group.name
  tags = {
    meshscale         = "meshscale"
    meshscale-role    = "${each.key}"
    deletion-due-time = "${timeadd(terraform_data.created.output, var.lifetime)}"
  }
  for_each = local.clusters
}
resource "azurerm_role_assignment" "mesh_network_contributor" {
  principal_id                     = azurerm_user_assigned_identity.mesh[each.key].principal_id
  principal_type                   = "ServicePrincipal"
  role_definition_name             = "Network Contributor"
  scope                            = azurerm_virtual_network.mesh[each.key].id
  skip_service_principal_aad_check = true
  for_each                         = local.clusters
}
resource "azurerm_kubernetes_cluster" "mesh" {
  dns_prefix              = each.key
  location                = azurerm_resource_group.group.location
  name                    = each.key
  node_os_upgrade_channel = "None"
  resource_group_name     = azurerm_resource_group.group.name
  sku_tier                = "Standard"
  tags = {
    meshscale         = "meshscale"
    meshscale-role    = "${each.key}"
    deletion-due-time = "${timeadd(terraform_data.created.output, var.lifetime)}"
  }
  default_node_pool {
    max_pods       = 110
    name           = "default"
    node_count     = 20
    pod_subnet_id  = azurerm_subnet.mesh_pods[each.key].id
    vm_size        = "Standard_D4s_v5"
    vnet_subnet_id = azurerm_subnet.mesh_nodes[each.key].id
    upgrade_settings {
      max_surge = "10%"
    }
  }
  identity {
    identity_ids = [
      "${azurerm_user_assigned_identity.mesh[each.key].id}"
    ]
    type = "UserAssigned"
  }
  network_profile {
    dns_service_ip     = each.value.dns_service_ip
    load_balancer_sku  = "standard"
    network_data_plane = "cilium"
    network_plugin     = "azure"
    network_policy     = "cilium"
    service_cidr       = each.value.services
    advanced_networking {
      observability_enabled = true
      security_enabled      = true
    }
  }
  depends_on = [
    "azurerm_role_assignment.mesh_network_contributor",
  ]
  for_each = local.clusters
}
resource "null_resource" "mesh_settled" {
  triggers = {
    cluster_id = "${azurerm_kubernetes_cluster.mesh[each.key].id}"
  }
  depends_on = [
  ]
  for_each = local.clusters
  provisioner "local-exec" {
    interpreter = [
      "node",
      "${path.module}/assets/meshscale-fleet-handler_file_877C1D01/<hash of the handler>/recording-handler.mjs",
      "settle",
      "--timeout",
    ]
    command = "30m"
    when    = "create"
    environment = {
      CLUSTER_ID = "${self.triggers.cluster_id}"
    }
  }
}
resource "azurerm_kubernetes_cluster_node_pool" "mesh_prompool" {
  kubernetes_cluster_id = azurerm_kubernetes_cluster.mesh[each.key].id
  max_pods              = 110
  mode                  = "User"
  name                  = "prompool"
  node_count            = 1
  node_labels = {
    prometheus = "true"
  }
  pod_subnet_id = azurerm_subnet.mesh_pods[each.key].id
  tags = {
    meshscale         = "meshscale"
    meshscale-role    = "${each.key}"
    deletion-due-time = "${timeadd(terraform_data.created.output, var.lifetime)}"
  }
  vm_size        = "Standard_D8s_v5"
  vnet_subnet_id = azurerm_subnet.mesh_nodes[each.key].id
  upgrade_settings {
    max_surge = "10%"
  }
  depends_on = [
    "null_resource.mesh_settled",
  ]
  for_each = local.clusters
}
resource "azurerm_network_manager" "connected" {
  location            = azurerm_resource_group.group.location
  name                = "meshscale"
  resource_group_name = azurerm_resource_group.group.name
  scope_accesses = [
    "Connectivity"
  ]
  scope {
    subscription_ids = [
      "${regex("^/subscriptions/[^/]+", azurerm_resource_group.group.id)}"
    ]
  }
}
resource "azurerm_network_manager_network_group" "connected" {
  name               = "meshscale"
  network_manager_id = azurerm_network_manager.connected.id
}
resource "azurerm_network_manager_static_member" "connected" {
  name                      = each.key
  network_group_id          = azurerm_network_manager_network_group.connected.id
  target_virtual_network_id = azurerm_virtual_network.mesh[each.key].id
  for_each                  = local.clusters
}
resource "azurerm_network_manager_connectivity_configuration" "connected" {
  connectivity_topology           = "Mesh"
  delete_existing_peering_enabled = false
  global_mesh_enabled             = length(distinct([for role in keys(local.clusters) : local.mesh_region])) > 1
  name                            = "meshscale"
  network_manager_id              = azurerm_network_manager.connected.id
  applies_to_group {
    group_connectivity = "None"
    network_group_id   = azurerm_network_manager_network_group.connected.id
  }
}
resource "azurerm_network_manager_deployment" "connected" {
  configuration_ids = [
    "${azurerm_network_manager_connectivity_configuration.connected.id}"
  ]
  location           = each.key
  network_manager_id = azurerm_network_manager.connected.id
  scope_access       = "Connectivity"
  triggers = {
    configuration = "${sha1(jsonencode(["Mesh", length(distinct([for role in keys(local.clusters) : local.mesh_region])) > 1]))}"
    members       = "${sha1(join(",", [for role in keys(local.clusters) : azurerm_network_manager_static_member.connected[role].id]))}"
  }
  timeouts {
    create = "60m"
    delete = "60m"
    update = "60m"
  }
  depends_on = [
    "azurerm_network_manager_static_member.connected",
  ]
  for_each = { for region in distinct([for role in keys(local.clusters) : local.mesh_region]) : region => region }
}
resource "azurerm_kubernetes_fleet_manager" "fleet" {
  location            = azurerm_resource_group.group.location
  name                = "meshscale"
  resource_group_name = azurerm_resource_group.group.name
  tags = {

  }
}

variable "mesh_revision" {
  default     = 1
  description = "Change it to apply the mesh once more, after labels were changed by hand."
  type        = string
}
resource "null_resource" "fleet_mesh_settled" {
  triggers = {
    cluster_id = "${azurerm_kubernetes_cluster.mesh[each.key].id}"
  }
  depends_on = [
    "azurerm_kubernetes_cluster_node_pool.mesh_prompool",
  ]
  for_each = local.clusters
  provisioner "local-exec" {
    interpreter = [
      "node",
      "${path.module}/assets/meshscale-fleet-handler_file_877C1D01/<hash of the handler>/recording-handler.mjs",
      "settle",
      "--timeout",
    ]
    command = "30m"
    when    = "create"
    environment = {
      CLUSTER_ID = "${self.triggers.cluster_id}"
    }
  }
}
resource "azurerm_kubernetes_fleet_member" "fleet_mesh_member" {
  kubernetes_cluster_id = azurerm_kubernetes_cluster.mesh[each.key].id
  kubernetes_fleet_id   = azurerm_kubernetes_fleet_manager.fleet.id
  name                  = each.key
  depends_on = [
    "null_resource.fleet_mesh_settled",
    "azurerm_kubernetes_cluster_node_pool.mesh_prompool",
    "azurerm_network_manager_deployment.connected",
  ]
  lifecycle {
    ignore_changes = [
      "group",
    ]
  }
  for_each = local.clusters
}
resource "null_resource" "fleet_mesh_seat" {
  triggers = {
    fleet_id  = "${azurerm_kubernetes_fleet_manager.fleet.id}"
    profile   = "mesh"
    member    = "${each.key}"
    member_id = "${azurerm_kubernetes_fleet_member.fleet_mesh_member[each.key].id}"
  }
  depends_on = [
    "azurerm_network_manager_deployment.connected",
  ]
  for_each = local.clusters
  provisioner "local-exec" {
    interpreter = [
      "node",
      "${path.module}/assets/meshscale-fleet-handler_file_877C1D01/<hash of the handler>/recording-handler.mjs",
      "leave",
      "--timeout",
    ]
    command = "2h"
    when    = "destroy"
    environment = {
      FLEET_ID = "${self.triggers.fleet_id}"
      PROFILE  = "${self.triggers.profile}"
      MEMBER   = "${self.triggers.member}"
    }
  }
}
resource "null_resource" "fleet_mesh_profile" {
  triggers = {
    fleet_id = "${azurerm_kubernetes_fleet_manager.fleet.id}"
    profile  = "mesh"
  }
  depends_on = [
    "null_resource.fleet_mesh_seat",
  ]
  count = var.clusters > 1 ? 1 : 0
  provisioner "local-exec" {
    interpreter = [
      "node",
      "${path.module}/assets/meshscale-fleet-handler_file_877C1D01/<hash of the handler>/recording-handler.mjs",
      "drain",
      "--timeout",
    ]
    command = "2h"
    when    = "destroy"
    environment = {
      FLEET_ID = "${self.triggers.fleet_id}"
      PROFILE  = "${self.triggers.profile}"
    }
  }
}
resource "null_resource" "fleet_mesh_apply" {
  triggers = {
    fleet_id = "${azurerm_kubernetes_fleet_manager.fleet.id}"
    profile  = "mesh"
    members  = "${join(",", [for role in keys(local.clusters) : azurerm_kubernetes_fleet_member.fleet_mesh_member[role].id])}"
    revision = "${var.mesh_revision}"
  }
  depends_on = [
    "null_resource.fleet_mesh_profile",
  ]
  count = var.clusters > 1 ? 1 : 0
  provisioner "local-exec" {
    interpreter = [
      "node",
      "${path.module}/assets/meshscale-fleet-handler_file_877C1D01/<hash of the handler>/recording-handler.mjs",
      "ensure",
      "--timeout",
    ]
    command = "2h"
    when    = "create"
    environment = {
      FLEET_ID = "${self.triggers.fleet_id}"
      PROFILE  = "${self.triggers.profile}"
      MEMBERS  = "${join(",", keys(local.clusters))}"
    }
  }
}

output "inventory" {
  value       = { schemaVersion = 1, target = "azure", meshName = "meshscale", createdAt = terraform_data.created.output, partial = false, expectedClusters = var.clusters, fleet = { id = azurerm_kubernetes_fleet_manager.fleet.id, profile = "mesh", apiVersion = "2026-06-02-preview" }, network = { mode = "virtual-network-manager" }, clusters = [for role in sort(keys(local.clusters)) : { role = role, number = local.clusters[role].number, kubernetesVersion = azurerm_kubernetes_cluster.mesh[role].current_kubernetes_version, nodes = 21, podCidrs = [local.clusters[role].pods], nodeCidrs = [local.clusters[role].nodes], serviceCidrs = [local.clusters[role].services], podNetwork = "flat", datapath = true, access = { kind = "aks", resourceId = azurerm_kubernetes_cluster.mesh[role].id }, prometheus = { kind = "in-cluster" } }] }
  description = "What `meshscale run --target azure` needs to know of the clusters."
}
