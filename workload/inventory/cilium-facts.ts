import type { InventoryCluster } from '../../model/inventory.js';
import type { KubeClient, KubeObject } from '../kube/kube-client.js';

/** What a cluster itself says about itself, as far as it may be read. */
export type DiscoveredFacts = Pick<
  InventoryCluster,
  | 'ciliumName'
  | 'ciliumId'
  | 'ciliumVersion'
  | 'kubernetesVersion'
  | 'podCidrs'
  | 'nodeCidrs'
  | 'nodes'
>;

/**
 * Reads names, ids, versions and ranges from a cluster. Names are read and never built; what cannot
 * be read is left out, because a cluster that does not answer is told by preflight.
 */
export async function discoverFacts(
  kube: KubeClient,
  signal: AbortSignal,
): Promise<DiscoveredFacts> {
  const get = async (path: string): Promise<unknown> => {
    const answer = await kube.request('GET', path, undefined, { signal, timeout: TIMEOUT });
    return answer.ok ? answer.body : undefined;
  };
  const [version, config, agent, nodes] = await Promise.all([
    get('/version'),
    get(`${SYSTEM}/configmaps/cilium-config`),
    get('/apis/apps/v1/namespaces/kube-system/daemonsets/cilium'),
    kube.list('/api/v1/nodes', { signal, timeout: TIMEOUT }).then(
      ({ items }) => items,
      () => [],
    ),
  ]);
  const ciliumName = textAt(config, 'data', 'cluster-name');
  const ciliumId = Number(textAt(config, 'data', 'cluster-id'));
  const ciliumVersion = imageVersion(agent);
  const kubernetesVersion = textAt(version, 'gitVersion')?.replace(/^v/, '');
  return {
    ...(ciliumName === undefined ? {} : { ciliumName }),
    // 0 stands for "not in a mesh".
    ...(ciliumId >= 1 && ciliumId <= 511 ? { ciliumId } : {}),
    ...(ciliumVersion === undefined ? {} : { ciliumVersion }),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    nodes: nodes.length,
    podCidrs: [...podRanges(config, nodes)],
    nodeCidrs: [],
  };
}

/** The cluster-wide pool that Cilium's own IPAM has, else the ranges of the nodes. */
function podRanges(config: unknown, nodes: readonly KubeObject[]): readonly string[] {
  const pool = textAt(config, 'data', 'cluster-pool-ipv4-cidr');
  if (pool !== undefined && pool !== '') return pool.split(/[\s,]+/).filter((one) => one !== '');
  return nodes.flatMap(({ spec }) => textAt(spec, 'podCIDR') ?? []);
}

/** `quay.io/cilium/cilium:v1.18.2@sha256:…` */
function imageVersion(agent: unknown): string | undefined {
  const containers = at(agent, 'spec', 'template', 'spec', 'containers');
  if (!Array.isArray(containers)) return undefined;
  const image = textAt(
    containers.find((one) => textAt(one, 'name') === 'cilium-agent'),
    'image',
  );
  return /:v?(\d+\.\d+\.\d+[^@]*)/.exec(image ?? '')?.[1];
}

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = new Map<string, unknown>(Object.entries(current)).get(name);
  }
  return current;
}

const SYSTEM = '/api/v1/namespaces/kube-system';
/** Ours: longer than any answer of a cluster that can be used. */
const TIMEOUT = 10_000;
