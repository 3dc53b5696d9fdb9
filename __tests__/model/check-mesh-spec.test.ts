import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressPlan } from '../../model/address-plan.js';
import { checkMeshSpec } from '../../model/check-mesh-spec.js';
import { overlap, parseIpRange } from '../../model/ip-range.js';
import { spendHints } from '../../model/spend-hints.js';
import type { UserError } from '../../model/user-error.js';

const spec = (parts: object) => ({
  schemaVersion: 1,
  name: 'm',
  region: 'eastus2euap',
  clusters: [{ number: 1 }, { number: 2 }],
  ...parts,
});

describe('a mesh spec', () => {
  it('needs numbers only; everything else has a default', () => {
    const checked = checkMeshSpec(spec({}));
    expect(checked).toMatchObject({
      ok: true,
      mesh: {
        network: 'peering',
        clusters: [{ role: 'mesh-001', nodes: 20, addresses: { pods: '10.1.16.0/20' } }, {}],
      },
      warnings: [],
    });
  });

  it('fails on an unknown field with the one that was meant', () => {
    expect(problems(spec({ clusters: [{ number: 1, nodez: 3 }] }))).toEqual([
      'clusters[0]: there is no field nodez',
    ]);
  });

  it('fails with all problems of all clusters at once', () => {
    const found = problems(
      spec({
        defaults: { kubernetesVersion: '1.31' },
        clusters: [
          { number: 1 },
          { number: 1 },
          { number: 2, addresses: { pods: '10.2.0.0/22' } },
          { number: 3, addresses: { vnet: '10.1.0.0/17', nodes: '10.1.0.0/22' } },
          { number: 4, addresses: { services: '172.30.0.0/20', dnsServiceIp: '172.30.0.1' } },
          { number: 5, addresses: { vnet: '10.5.0.1/16' } },
          { number: 6, nodes: 900 },
        ],
      }),
    );
    expect(found).toEqual([
      'clusters[1].number: there is a second cluster with the number 1',
      'defaults.kubernetesVersion: this Kubernetes version is too old for a Fleet mesh',
      'clusters[3].addresses.pods: this address range cannot be used',
      'clusters[4].addresses.services: this address range cannot be used',
      'clusters[4].addresses.dnsServiceIp: this address range cannot be used',
      'clusters[5].addresses.vnet: this address range cannot be used',
      'clusters[6].addresses.pods: the subnet has 4091 usable addresses and 28832 (901 nodes with 32 each for 24 planned pods) are needed',
      'clusters[2].addresses.pods: this address range has addresses in common with nodes of the same cluster',
      'clusters[3].addresses.vnet: this address range has addresses in common with vnet of mesh-001 (10.1.0.0/16)',
    ]);
  });

  it('fails when the network mode cannot hold the clusters', () => {
    const clusters = Array.from({ length: 41 }, (_, index) => ({ number: index + 1 }));
    expect(problems(spec({ clusters }))).toEqual([
      "clusters: 41 clusters are more than the network mode peering can hold (40): Terraform's own time on N*(N-1) peerings grows like N^4",
    ]);
    const many = Array.from({ length: 95 }, (_, index) => ({ number: index + 1 }));
    expect(problems(spec({ network: 'shared-vnet', clusters: many }))).toEqual([
      'clusters: the clusters need 65930 private addresses, more than the 65536 of a VNet',
    ]);
  });

  it('warns of services that hide the network of another cluster, and of an untried region', () => {
    const checked = checkMeshSpec(
      spec({
        region: 'westeurope',
        clusters: [
          { number: 1, addresses: { services: '10.2.0.0/20', dnsServiceIp: '10.2.0.10' } },
          { number: 2 },
        ],
      }),
    );
    expect(checked).toMatchObject({
      ok: true,
      warnings: [
        expect.stringContaining(
          'the services of mesh-001 (10.2.0.0/20) overlap the network of mesh-002',
        ),
        expect.stringContaining('not seen in westeurope'),
      ],
    });
  });

  it('tells the quota and the cost', () => {
    const checked = checkMeshSpec(spec({}));
    expect(checked.ok ? spendHints(checked.mesh) : []).toEqual([
      'quota: 2 clusters with 42 nodes need 176 vCPU; a fresh subscription has 20 per region',
      'cost: about 10 USD per hour, disks and traffic not counted; prices of 2024, eastus, the share of ACNS a guess',
    ]);
  });
});

describe('address plans', () => {
  it('of any two of 255 clusters are disjoint, and nodes and pods lie apart in the VNet', () => {
    const number = fc.integer({ min: 1, max: 255 });
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [one, two] = [addressPlan(a), addressPlan(b)];
        expect(overlap(range(one.nodes), range(one.pods))).toBe(false);
        expect(overlap(range(one.vnet), range(two.vnet))).toBe(a === b);
      }),
    );
  });

  it('of any set of clusters are accepted by the check of specs', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 255 }), {
      minLength: 1,
      maxLength: 40,
    });
    const shape = fc.record({ nodes: fc.integer({ min: 2, max: 60 }) });
    fc.assert(
      fc.property(numbers, shape, (given, { nodes }) => {
        const clusters = given.map((number) => ({ number, nodes }));
        expect(checkMeshSpec(spec({ clusters }))).toMatchObject({ ok: true });
      }),
    );
  });

  it('are refused whenever two clusters are given overlapping VNets, whatever else is right', () => {
    const prefix = fc.constantFrom(8, 9, 10, 11, 12, 13, 14, 16);
    fc.assert(
      fc.property(prefix, (bits) => {
        const vnet = bits === 16 ? '10.2.0.0/16' : `10.0.0.0/${bits}`;
        const clusters = [
          {
            number: 1,
            addresses: { vnet: '10.2.0.0/16', nodes: '10.2.0.0/22', pods: '10.2.16.0/20' },
          },
          { number: 2, addresses: { vnet } },
        ];
        const codes = errorsOf(spec({ clusters })).map(({ code }) => code);
        expect(codes).toContain('spec/overlapping-ranges');
      }),
    );
  });
});

function range(text: string) {
  const parsed = parseIpRange(text);
  if (parsed === undefined) throw new Error(text);
  return parsed;
}

function errorsOf(input: unknown): readonly UserError[] {
  const checked = checkMeshSpec(input);
  return checked.ok ? [] : checked.errors;
}

function problems(input: unknown): readonly string[] {
  return errorsOf(input).map(({ where, problem }) => {
    const place = where !== undefined && 'path' in where ? where.path : '';
    return `${place}: ${problem}`;
  });
}
