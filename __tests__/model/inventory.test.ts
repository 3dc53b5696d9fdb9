import { describe, expect, it } from '@jest/globals';
import { clusterTitle, type InventoryCluster } from '../../model/inventory.js';
import { inventoryCluster } from '../helpers/inventory-cluster.js';

const cluster = (access: InventoryCluster['access']) => inventoryCluster(1, { access });

describe('the title of a cluster', () => {
  it('has the name that its owner knows it by', () => {
    const named = cluster({ kind: 'kubeconfig', file: 'f', context: 'aks-west' });
    expect(clusterTitle(named)).toBe('mesh-001 (aks-west)');
    const resourceId = '/subscriptions/s/resourceGroups/g/providers/x/managedClusters/aks-7';
    expect(clusterTitle(cluster({ kind: 'aks', resourceId }))).toBe('mesh-001 (aks-7)');
  });

  it('is the role alone where nobody has another name', () => {
    expect(clusterTitle(cluster({ kind: 'local', stateDir: 's' }))).toBe('mesh-001');
    const same = cluster({ kind: 'kubeconfig', file: 'f', context: 'mesh-001' });
    expect(clusterTitle(same)).toBe('mesh-001');
  });
});
