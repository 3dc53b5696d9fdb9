import type { Milliseconds } from '../../../model/quantity.js';
import type { KubeClient } from '../../kube/kube-client.js';
import type { Clock } from '../../platform/clock.js';
import { writeObject, type WriteBounds } from '../../native/write-object.js';
import { waitFor } from '../../platform/wait.js';
import { JOB_PATH, JOB_PODS } from './job-objects.js';
import { CLUSTER_SCOPED } from './job-rbac.js';
import { JOB_NAMESPACE } from './job-settings.js';

/**
 * Takes everything away that a Job has in its cluster, but for its namespace, which goes with the run.
 * One whose API server does not answer holds nobody: `cleanup` finds by labels what is left there.
 */
export async function takeAway(client: KubeClient, clock: Clock): Promise<void> {
  const there = await client.request('GET', JOB_PATH, undefined, { timeout: QUICK_LOOK });
  if (there.status === 0) return;
  const over = new AbortController();
  const late = new AbortController();
  clock.sleep(TAKE_AWAY, over.signal).then(
    () => {
      late.abort(new Error('the time for removing the Job is over'));
    },
    () => undefined,
  );
  try {
    await removeJob(client, { clock, signal: late.signal }, REMOVE);
    await removeClusterScoped(client, { clock, signal: late.signal });
  } catch (error) {
    if (!late.signal.aborted) throw error;
  } finally {
    over.abort(new Error('the Job is removed'));
  }
}

/**
 * Removes the Job with its pod and waits until both are gone; at the end of the budget the pod is
 * taken from a node that does not answer. Gives what is left.
 */
export async function removeJob(
  client: KubeClient,
  { clock, signal }: WriteBounds,
  budget: Milliseconds,
): Promise<string | undefined> {
  const request = (method: 'GET' | 'DELETE', path: string, body?: unknown) =>
    client.request(method, path, body, { signal });
  const removed = await writeObject(
    { clock, signal },
    () => request('DELETE', JOB_PATH, { propagationPolicy: 'Background' }),
    ({ status }) => status === 404,
  );
  if (!removed.ok) return removed.text;
  const pods = await request('GET', JOB_PODS);
  // Background deletion leaves the pod to a controller that may be busy.
  for (const name of namesOf(pods.ok ? pods.body : undefined))
    await request('DELETE', podPath(name));
  const waited = await waitFor({ clock, signal, budget, period: PERIOD }, async () => {
    const [job, left] = [await request('GET', JOB_PATH), await request('GET', JOB_PODS)];
    const names = namesOf(left.ok ? left.body : undefined);
    if (!job.ok && job.status === 404 && left.ok && names.length === 0) {
      return { state: 'ready', value: undefined };
    }
    return { state: 'waiting', missing: names.length === 0 ? ['the Job'] : names };
  });
  if (waited.state === 'ready') return undefined;
  for (const name of waited.missing) {
    await request('DELETE', podPath(name), { gracePeriodSeconds: 0 });
  }
  return `still there: ${waited.missing.join(', ')}`;
}

/** Removes what has no namespace; a clean-up of the namespace takes it away as well, only later. */
async function removeClusterScoped(client: KubeClient, bounds: WriteBounds): Promise<void> {
  for (const path of CLUSTER_SCOPED) {
    await writeObject(
      bounds,
      () => client.request('DELETE', path, undefined, { signal: bounds.signal }),
      ({ status }) => status === 404,
    );
  }
}

/** The names in a list of pods. */
function namesOf(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null || !('items' in body)) return [];
  if (!Array.isArray(body.items)) return [];
  return body.items.flatMap((item: unknown) => {
    const { metadata } = item as { readonly metadata?: { readonly name?: unknown } };
    return typeof metadata?.name === 'string' ? [metadata.name] : [];
  });
}

function podPath(name: string): string {
  return `/api/v1/namespaces/${JOB_NAMESPACE}/pods/${name}`;
}

const PERIOD: Milliseconds = 500;
/** Ours: twice the grace of the pod. */
const REMOVE: Milliseconds = 60_000;
const TAKE_AWAY: Milliseconds = 90_000;
const QUICK_LOOK: Milliseconds = 5_000;
