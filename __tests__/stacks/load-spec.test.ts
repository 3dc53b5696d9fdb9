import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { UserErrors } from '../../model/user-error.js';
import { loadSpec } from '../../stacks/load-spec.js';
import { readSettings } from '../../stacks/read-settings.js';
import { only, synthesizeStack } from '../helpers/terraform/synthesized.js';

describe('a mesh spec in a file', () => {
  it('becomes one keyed set of resources', () => {
    const spec = loadSpec(readFileSync('specs/two-regions.yaml', 'utf8'), 'specs/two-regions.yaml');
    const terraform = synthesizeStack({}, spec);
    expect(terraform.locals?.['clusters']).toMatchObject({
      'mesh-001': { location: 'eastus2euap', node_count: 5, vnet: '10.1.0.0/16' },
      'mesh-006': { location: 'canadacentral', node_count: 20 },
    });
    expect(only(terraform, 'azurerm_kubernetes_cluster')).toMatchObject({
      for_each: '${local.clusters}',
      location: '${each.value.location}',
      default_node_pool: { node_count: '${each.value.node_count}' },
    });
    expect(terraform.variable).not.toHaveProperty('clusters');
  });

  it('fails with the lines of all its problems', () => {
    const text = [
      'schemaVersion: 1',
      'name: m',
      'region: eastus2euap',
      'clusters:',
      '  - { number: 1, kubernetesVersion: "1.30" }',
      '  - { number: 2, addresses: { pods: 10.9.0.0/20 } }',
    ].join('\n');
    const places = () => {
      try {
        loadSpec(text, 'specs/m.yaml');
        return [];
      } catch (error) {
        return error instanceof UserErrors ? error.errors.map(({ where }) => where) : [error];
      }
    };
    expect(places()).toEqual([
      { file: 'specs/m.yaml', line: 5, column: 37 },
      { file: 'specs/m.yaml', line: 6, column: 37 },
    ]);
  });

  it('fails on text that is not YAML', () => {
    expect(() => loadSpec('clusters: [', 'm.yaml')).toThrow('spec/not-yaml');
  });
});

describe('the settings in cdktf.json', () => {
  it('have a default for each', () => {
    expect(readSettings(undefined)).toEqual({
      meshName: 'meshscale',
      region: 'eastus2euap',
      network: 'peering',
      preset: 'full',
      backend: { kind: 'local' },
    });
  });

  it('fails on what is unknown and on what is wrong, at once', () => {
    expect(() => readSettings({ network: 'star', nodes: 3 })).toThrow(
      expect.objectContaining({
        code: 'spec/invalid-settings',
        given: expect.stringMatching(/network[\s\S]*nodes|nodes[\s\S]*network/),
      }),
    );
  });
});

describe('the backend', () => {
  it('is a local file beside cdktf.json, by a relative path', () => {
    expect(synthesizeStack()).toMatchObject({
      terraform: { backend: { local: { path: '../../../terraform.mesh.tfstate' } } },
    });
  });

  it('is a storage account when the settings say so', () => {
    const backend = {
      kind: 'azurerm',
      resourceGroupName: 'state',
      storageAccountName: 'account',
      containerName: 'tfstate',
      key: 'mesh.tfstate',
    };
    expect(synthesizeStack({ backend })).toMatchObject({
      terraform: { backend: { azurerm: { storage_account_name: 'account', key: 'mesh.tfstate' } } },
    });
  });
});
