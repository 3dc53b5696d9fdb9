import type { UserError } from '../../../model/user-error.js';
import {
  connectionsOf,
  type ClusterConnection,
  type ConnectedCluster,
} from '../../inventory/cluster-connection.js';
import type { PreflightReport } from '../../inventory/preflight.js';
import type { KubeObject } from '../../kube/kube-client.js';
import type { Clock } from '../../platform/clock.js';
import { smokeFailed } from '../errors.js';
import { smokeDataPath } from './data-path-smoke.js';
import { smokePairs, type SmokePairs } from './smoke-pairs.js';
import { smokeStatePath } from './state-path-smoke.js';

/** Which smoke test is made. `auto`: where packets can flow; what they cannot show is not made unasked. */
export type SmokeMode = 'auto' | 'always' | 'never';

/** What a smoke test works with. */
export interface SmokeSetting {
  readonly clusters: readonly ConnectedCluster[];
  readonly mode: SmokeMode;
  readonly runId: string;
  readonly image: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How the clusters of a mesh can be looked through. */
type SmokePath = 'data' | 'state' | 'none';

/** What `smoke` would do here, without touching anything. */
export async function smokePathOf({ clusters, mode, signal }: SmokeSetting): Promise<SmokePath> {
  const connections = connectionsOf(clusters);
  if (mode === 'never' || connections.length < 2) return 'none';
  if (connections.every(({ cluster }) => cluster.datapath)) {
    const real = await Promise.all(connections.map((one) => hasRealNode(one, signal)));
    if (real.every((one) => one)) return 'data';
  }
  const open = connections.every(({ meshEtcd }) => meshEtcd !== undefined);
  return mode === 'always' && open ? 'state' : 'none';
}

/**
 * Whether the clusters reach each other, before anything is loaded: by packets over global Services where
 * they flow, by what each one's cache of its peers takes in where they do not, which is said. Leaves its
 * objects, with the labels of the run, to whoever cleans.
 */
export async function smoke(setting: SmokeSetting, path: SmokePath): Promise<PreflightReport> {
  const connections = connectionsOf(setting.clusters);
  const roles = connections.map(({ cluster }) => cluster.role);
  const count = roles.length * (roles.length - 1);
  switch (path) {
    case 'none':
      return { problems: [], good: [], unseen: unseenOf(setting, connections) };
    case 'state': {
      const failures = await smokeStatePath({ ...setting, connections });
      const text = `state path: what each cluster exports comes to all others, ${count} ordered pairs (no packet was sent)`;
      return {
        problems: problemsOf(failures, 'state path'),
        good: goodOf(failures, text),
        unseen: [],
      };
    }
    case 'data': {
      const chosen = smokePairs(roles);
      const { pairs } = chosen;
      const failures = await smokeDataPath({ ...setting, connections, pairs });
      const text = `data path: ${pairs.length} ordered pairs answered, each from its own source${spanText(chosen, count)}`;
      return {
        problems: problemsOf(failures, 'data path'),
        good: goodOf(failures, text),
        unseen: [],
      };
    }
  }
}

function unseenOf(
  { mode }: SmokeSetting,
  connections: readonly ClusterConnection[],
): readonly string[] {
  if (connections.length < 2) return [];
  return [`whether the clusters reach each other (${WHY_UNSEEN[mode]})`];
}

const WHY_UNSEEN: Readonly<Record<SmokeMode, string>> = {
  never: 'no smoke test was asked for; --smoke always makes one',
  auto: 'no packet flows here; --smoke always looks at the state path',
  always: 'no packet flows here, and the mesh etcds cannot be watched',
};

function spanText({ spanning }: SmokePairs, all: number): string {
  return spanning
    ? `; a spanning set, not all ${all}: every cluster asks two and is asked by two`
    : '';
}

function goodOf(failures: readonly string[], text: string): readonly string[] {
  return failures.length === 0 ? [text] : [];
}

function problemsOf(failures: readonly string[], what: string): readonly UserError[] {
  return failures.length === 0 ? [] : [smokeFailed(what, failures)];
}

/** KWOK's nodes say that pods run, and run none. */
async function hasRealNode({ kube }: ClusterConnection, signal: AbortSignal): Promise<boolean> {
  return await kube.list('/api/v1/nodes', { signal }).then(
    ({ items }) => items.some((node) => !isMock(node)),
    () => false,
  );
}

function isMock({ metadata: { labels = {}, annotations = {} } }: KubeObject): boolean {
  return labels['type'] === 'kwok' || 'kwok.x-k8s.io/node' in annotations;
}
