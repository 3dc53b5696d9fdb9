import { describe, expect, it } from '@jest/globals';
import { checkVersions } from '../../../workload/inventory/check-versions.js';
import { inventoryCluster as cluster } from '../../helpers/inventory-cluster.js';

describe('preflight of versions', () => {
  it('compares each component across clusters, and never within one', () => {
    const mixed = { kvstoremesh: '1.20.2', 'clustermesh-apiserver': '1.15.19' };
    const { problems, good } = checkVersions([
      cluster(1, { components: mixed, ciliumVersion: '1.20.2' }),
      cluster(2, { components: mixed, ciliumVersion: '1.20.2' }),
    ]);
    expect(problems).toEqual([]);
    expect(good).toEqual(['versions are the same everywhere (2 components)']);
  });

  it('fails for a release that is not everywhere, with who has which', () => {
    const { problems } = checkVersions([
      cluster(1, { ciliumVersion: '1.18.2', kubernetesVersion: '1.33.1' }),
      cluster(2, { ciliumVersion: '1.18.4', kubernetesVersion: '1.33.1' }),
      cluster(3, { ciliumVersion: '1.18.2' }),
    ]);
    expect(problems).toMatchObject([
      {
        code: 'inventory/mixed-versions',
        problem: 'Cilium is not of one release in all clusters',
        given: '1.18.2: mesh-001, mesh-003\n1.18.4: mesh-002',
      },
    ]);
  });

  it('says of whom nothing is known', () => {
    const { unseen, problems } = checkVersions([
      cluster(1, { ciliumVersion: '1.18.2' }),
      cluster(2, {}),
    ]);
    expect(problems).toEqual([]);
    expect(unseen).toEqual(['mesh-002: its Cilium version could not be read']);
  });
});
