import type { ClusterAddresses } from './address-plan.js';
import { PROMETHEUS_NODES } from './cluster-shape.js';
import { badRange, overlappingRanges, subnetTooSmall } from './errors.js';
import {
  contains,
  overlap,
  parseIpAddress,
  parseIpRange,
  sizeOf,
  type IpRange,
} from './ip-range.js';
import type { MeshSpec, ResolvedMesh, SpecCluster } from './mesh-spec.js';
import { podAddressesPerNode } from './network-limits.js';
import type { PlaceOf } from './spec-place.js';
import type { UserError } from './user-error.js';

/** What is wrong with the ranges of a mesh, and what is unusual. */
export interface RangeFindings {
  readonly errors: readonly UserError[];
  readonly warnings: readonly string[];
}

type RangeName = 'vnet' | 'nodes' | 'pods' | 'services';
type Ranges = Readonly<Partial<Record<RangeName, IpRange>>>;

interface Entry {
  readonly index: number;
  readonly cluster: SpecCluster;
  readonly ranges: Ranges;
}

/** Checks the address ranges of all clusters, each by itself and each against all others. */
export function checkRanges(spec: MeshSpec, mesh: ResolvedMesh, placeOf: PlaceOf): RangeFindings {
  const entries = spec.clusters.flatMap(({ number }, index) => {
    // A second cluster of the same number is refused by itself.
    const first = spec.clusters.findIndex((each) => each.number === number) === index;
    const cluster = first ? mesh.clusters.find((each) => each.number === number) : undefined;
    return cluster === undefined ? [] : [{ index, cluster, ranges: parse(cluster.addresses) }];
  });
  const at = ({ index }: Entry, name: keyof ClusterAddresses) =>
    placeOf(['clusters', index, 'addresses', name]);
  const shared = mesh.network === 'shared-vnet';
  return {
    errors: [
      ...entries.flatMap((entry) => checkOwn(entry, shared, at)),
      ...overlaps(entries, shared, at),
    ],
    warnings: serviceWarnings(entries),
  };
}

type At = (entry: Entry, name: keyof ClusterAddresses) => ReturnType<PlaceOf>;

const NAMES: readonly RangeName[] = ['vnet', 'nodes', 'pods', 'services'];
/** @see AKS "Azure CNI", 2026-08: what AKS refuses for services, pods and networks */
const RESERVED = ['169.254.0.0/16', '172.30.0.0/16', '172.31.0.0/16', '192.0.2.0/24'].flatMap(
  (text) => parseIpRange(text) ?? [],
);
/** Azure keeps five addresses of each subnet; general rule of Azure's networks. */
const KEPT_BY_AZURE = 5;
/** The internal load balancer of clustermesh-apiserver. */
const LOAD_BALANCERS = 1;

function parse(addresses: ClusterAddresses): Ranges {
  const found: Partial<Record<RangeName, IpRange>> = {};
  for (const name of NAMES) {
    const range = parseIpRange(addresses[name]);
    if (range !== undefined) found[name] = range;
  }
  return found;
}

function checkOwn(entry: Entry, shared: boolean, at: At): readonly UserError[] {
  const { ranges, cluster } = entry;
  const { vnet, nodes, pods, services } = ranges;
  const unreadable = NAMES.filter((name) => ranges[name] === undefined).map((name) =>
    badRange(at(entry, name), cluster.addresses[name], 'a range such as 10.7.0.0/16'),
  );
  const reserved = NAMES.flatMap((name) => {
    const range = ranges[name];
    if (range === undefined) return [];
    const hit = RESERVED.find((each) => overlap(range, each));
    return hit === undefined
      ? []
      : [badRange(at(entry, name), range.text, `no address of ${hit.text}, which Azure keeps`)];
  });
  const outside = (['nodes', 'pods'] as const).flatMap((name) => {
    const range = ranges[name];
    if (shared || vnet === undefined || range === undefined || contains(vnet, range)) return [];
    return [badRange(at(entry, name), range.text, `a range inside of the VNet ${vnet.text}`)];
  });
  return [
    ...unreadable,
    ...reserved,
    ...outside,
    ...(nodes === undefined ? [] : tooSmall(entry, 'nodes', nodes, nodeNeed(cluster), at)),
    ...(pods === undefined ? [] : tooSmall(entry, 'pods', pods, podNeed(cluster), at)),
    ...(services === undefined ? [] : checkDns(entry, services, at)),
  ];
}

function checkDns(entry: Entry, services: IpRange, at: At): readonly UserError[] {
  const { dnsServiceIp } = entry.cluster.addresses;
  const address = parseIpAddress(dnsServiceIp);
  // The first address of the range is taken by the API server's own Service.
  const good = address !== undefined && address > services.first + 1 && address <= services.last;
  if (good) return [];
  const expected = `an address of ${services.text}, not one of its first two`;
  return [badRange(at(entry, 'dnsServiceIp'), dnsServiceIp, expected)];
}

interface Need {
  readonly addresses: number;
  readonly sum: string;
}

function nodeNeed({ nodes }: SpecCluster): Need {
  const total = nodes + PROMETHEUS_NODES;
  const addresses = total + LOAD_BALANCERS;
  return { addresses, sum: `${addresses} (${total} nodes, ${LOAD_BALANCERS} load balancer)` };
}

function podNeed({ nodes, plannedPodsPerNode }: SpecCluster): Need {
  const total = nodes + PROMETHEUS_NODES;
  const perNode = podAddressesPerNode(plannedPodsPerNode);
  const addresses = total * perNode;
  const sum = `${addresses} (${total} nodes with ${perNode} each for ${plannedPodsPerNode} planned pods)`;
  return { addresses, sum };
}

function tooSmall(
  entry: Entry,
  name: RangeName,
  range: IpRange,
  need: Need,
  at: At,
): readonly UserError[] {
  const usable = sizeOf(range) - KEPT_BY_AZURE;
  if (usable >= need.addresses) return [];
  return [subnetTooSmall(at(entry, name), range.text, usable, need.sum)];
}

/** In one VNet the VNet is common; otherwise VNets have to be apart, which keeps subnets apart. */
function overlaps(entries: readonly Entry[], shared: boolean, at: At): readonly UserError[] {
  const checked = shared ? (['nodes', 'pods'] as const) : (['vnet'] as const);
  const inOrder = entries.flatMap((entry) =>
    checked.flatMap((name) => {
      const range = entry.ranges[name];
      return range === undefined ? [] : [{ entry, name, range }];
    }),
  );
  const own = entries.flatMap((entry) => ownOverlaps(entry, at));
  const sorted = [...inOrder].sort((a, b) => a.range.first - b.range.first);
  const between = sorted.flatMap((each, position) => {
    const before = sorted.slice(0, position).find(({ range }) => overlap(range, each.range));
    if (before === undefined || before.entry === each.entry) return [];
    const other = `${before.name} of ${before.entry.cluster.role} (${before.range.text})`;
    return [overlappingRanges(at(each.entry, each.name), each.range.text, other)];
  });
  return [...own, ...between];
}

function ownOverlaps(entry: Entry, at: At): readonly UserError[] {
  const { nodes, pods, services, vnet } = entry.ranges;
  const pairs = [
    { name: 'pods', range: pods, other: nodes, what: 'nodes' },
    // Azure refuses services inside of the cluster's own network.
    { name: 'services', range: services, other: vnet, what: 'vnet' },
  ] as const;
  return pairs.flatMap(({ name, range, other, what }) =>
    range !== undefined && other !== undefined && overlap(range, other)
      ? [overlappingRanges(at(entry, name), range.text, `${what} of the same cluster`)]
      : [],
  );
}

/** Services are seen inside of their cluster only, so this works, but traffic is hard to read. */
function serviceWarnings(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ cluster, ranges: { services } }) => {
    const other = entries.find(
      (each) =>
        each.cluster !== cluster &&
        each.ranges.vnet !== undefined &&
        services !== undefined &&
        overlap(services, each.ranges.vnet),
    );
    if (other === undefined || services === undefined) return [];
    return [
      `the services of ${cluster.role} (${services.text}) overlap the network of ${other.cluster.role}: pods there cannot be reached from ${cluster.role}`,
    ];
  });
}
