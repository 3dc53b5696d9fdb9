import type { Milliseconds } from '../../../model/quantity.js';
import type { ClusterConnection } from '../../inventory/cluster-connection.js';
import type { KubeAnswer } from '../../kube/kube-client.js';
import { writeObject } from '../../native/write-object.js';
import { waitFor } from '../../platform/wait.js';
import type { Clock } from '../../platform/clock.js';
import {
  dialPath,
  podOf,
  SMOKE_NAMESPACE,
  smokeNamespace,
  smokePod,
  smokeService,
} from './smoke-objects.js';
import type { SmokePair } from './smoke-pairs.js';

/** What a data-path smoke works with. */
export interface DataPathSmoke {
  readonly connections: readonly ClusterConnection[];
  readonly pairs: readonly SmokePair[];
  readonly runId: string;
  /** One with `agnhost netexec`. */
  readonly image: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Asks from a pod of each cluster the global Service of others, behind which only they have a pod. Gives
 * a text for every pair whose answer is missing, or comes from another cluster than it has to: one that a
 * cluster gives itself says nothing about the mesh. Cleans nothing; everything is labelled.
 */
export async function smokeDataPath(smoke: DataPathSmoke): Promise<readonly string[]> {
  const refused = await Promise.all(smoke.connections.map((one) => prepare(one, smoke)));
  const problems = refused.flat();
  if (problems.length > 0) return problems;
  const asked = await Promise.all(smoke.connections.map((reader) => askFrom(reader, smoke)));
  return asked.flat();
}

async function prepare(
  { cluster, kube }: ClusterConnection,
  { pairs, runId, image, clock, signal }: DataPathSmoke,
): Promise<readonly string[]> {
  const { role } = cluster;
  const own = `/api/v1/namespaces/${SMOKE_NAMESPACE}`;
  const sources = pairs.flatMap(({ source, reader }) => (reader === role ? [source] : []));
  const objects: readonly (readonly [string, object])[] = [
    ['/api/v1/namespaces', smokeNamespace(runId)],
    // Also its own: the mesh exports a Service where its pod is.
    ...[role, ...sources].map((one) => [`${own}/services`, smokeService(one, runId)] as const),
    [`${own}/pods`, smokePod(role, runId, image)],
  ];
  for (const [path, body] of objects) {
    const result = await writeObject(
      { clock, signal },
      () => kube.request('POST', path, body, { signal }),
      ({ status, reason }) => status === 409 && reason === 'AlreadyExists',
    );
    if (!result.ok) return [`${role}: ${path}: ${result.text}`];
  }
  return [];
}

async function askFrom(
  { cluster, kube }: ClusterConnection,
  { pairs, clock, signal }: DataPathSmoke,
): Promise<readonly string[]> {
  const { role } = cluster;
  let open = pairs.filter(({ reader }) => reader === role).map((pair) => ({ pair, why: '' }));
  const bounds = { clock, signal, budget: BUDGET, period: PERIOD };
  const result = await waitFor(bounds, async () => {
    const asked = await Promise.all(
      open.map(async ({ pair }) => {
        const options = { signal, timeout: ASK_TIMEOUT };
        const answer = await kube.request('GET', dialPath(pair), undefined, options);
        return { pair, why: problemOf(pair, answer) };
      }),
    );
    open = asked.flatMap(({ pair, why }) => (why === undefined ? [] : [{ pair, why }]));
    const missing = open.map(({ pair: { source }, why }) => `${source} from ${role}: ${why}`);
    return missing.length === 0
      ? { state: 'ready', value: undefined }
      : { state: 'waiting', missing };
  });
  return result.state === 'ready' ? [] : result.missing;
}

/** Undefined for the answer of the right cluster. */
function problemOf({ source, reader }: SmokePair, answer: KubeAnswer): string | undefined {
  if (!answer.ok) return `no answer: ${answer.reason}: ${answer.message}`;
  const responses = listAt(answer.body, 'responses');
  if (responses.includes(podOf(source)) && responses.length === 1) return undefined;
  if (responses.includes(podOf(reader))) return 'it was answered by its own cluster';
  if (responses.length > 0) return `it was answered by ${responses.join(', ')}`;
  return `no answer: ${listAt(answer.body, 'errors').join('; ') || 'not one response'}`;
}

/** `{"responses": ["…"], "errors": ["…"]}`, as a text or parsed by whoever read it. */
function listAt(body: unknown, name: string): readonly string[] {
  const value = typeof body === 'string' ? parsed(body) : body;
  if (typeof value !== 'object' || value === null) return [];
  const list = new Map<string, unknown>(Object.entries(value)).get(name);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 24 looks 5 s apart. @see data/failure-signatures.md §2, smoke-failed */
const BUDGET: Milliseconds = 120_000;
const PERIOD: Milliseconds = 5_000;
const ASK_TIMEOUT: Milliseconds = 10_000;
