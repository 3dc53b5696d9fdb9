import { setMaxListeners } from 'node:events';
import type { Milliseconds } from '../../model/quantity.js';
import { userErrorsOf } from '../../model/user-error.js';
import type { KubeClient } from '../kube/kube-client.js';
import { startReflector, type Reflector } from '../kube/reflector.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import { foundNamespace, type FoundNamespace } from './found-namespace.js';
import { ownershipSelector } from './ownership.js';
import { writeObject } from './write-object.js';

/** What to clean, and how long it may take. */
export interface CleanUpRequest {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** @default - every run's */
  readonly runId?: string | undefined;
  readonly budget: Milliseconds;
  readonly signal: AbortSignal;
}

/** What cleaning one cluster gave. */
export type CleanUpResult =
  | { readonly state: 'clean'; readonly removed: number; readonly elapsed: Milliseconds }
  | { readonly state: 'left'; readonly removed: number; readonly left: readonly string[] };

/**
 * Deletes every namespace that carries our labels and waits by watch until they are gone. All that a
 * run makes stands in such namespaces, so this finds also what a killed runner left. Rejects only
 * with the signal's reason.
 */
export async function cleanUp(request: CleanUpRequest): Promise<CleanUpResult> {
  const { clock, signal, budget } = request;
  const over = new AbortController();
  const late = clock
    .sleep(budget, AbortSignal.any([signal, over.signal]))
    .then((): 'late' => 'late');
  late.catch(() => undefined);
  const watched = watchNamespaces(request, over.signal);
  try {
    return await deleteWhatIsThere(request, watched, late, over.signal);
  } finally {
    over.abort(new Error('cleaning has ended'));
  }
}

interface WatchedNamespaces {
  readonly reflector: Reflector<FoundNamespace>;
  /** Resolves when there is none any more. */
  readonly gone: () => Promise<'gone'>;
  /** Why the cluster cannot be read, if so. */
  readonly problem: () => string;
}

function watchNamespaces(
  { client, clock, runId }: CleanUpRequest,
  signal: AbortSignal,
): WatchedNamespaces {
  let problem = 'no answer';
  let onChange = (): void => undefined;
  const reflector = startReflector({
    client,
    clock,
    path: '/api/v1/namespaces',
    query: { labelSelector: ownershipSelector(runId) },
    keep: foundNamespace,
    signal,
    onEvent: () => {
      onChange();
    },
    onLoss: (end) => {
      if (end.reason === 'failed') problem = causeText(end.cause);
    },
  });
  reflector.ended.catch(() => undefined);
  const gone = (): Promise<'gone'> =>
    new Promise((resolve) => {
      onChange = () => {
        if (reflector.items().length === 0) resolve('gone');
      };
      onChange();
    });
  return { reflector, gone, problem: () => problem };
}

async function deleteWhatIsThere(
  request: CleanUpRequest,
  { reflector, gone, problem }: WatchedNamespaces,
  late: Promise<'late'>,
  over: AbortSignal,
): Promise<CleanUpResult> {
  const start = request.clock.monoNs();
  const silent = request.clock
    .sleep(READ_BUDGET, AbortSignal.any([request.signal, over]))
    .then((): 'late' => 'late');
  silent.catch(() => undefined);
  const read = await Promise.race([reflector.synced.then(() => 'read' as const), late, silent]);
  if (read === 'late') {
    return { state: 'left', removed: 0, left: [`what is left cannot be read: ${problem()}`] };
  }
  const found = reflector.items();
  const stop = AbortSignal.any([request.signal, over]);
  setMaxListeners(0, stop);
  const deleting = deleteAll(request, found, stop);
  const refusals = await Promise.race([deleting, late.then(() => ['the time was over'])]);
  const end = refusals.length > 0 ? 'late' : await Promise.race([gone(), late]);
  if (end === 'gone') {
    const elapsed = millisecondsBetween(start, request.clock.monoNs());
    return { state: 'clean', removed: found.length, elapsed };
  }
  const left = reflector.items().map(({ text }) => text);
  return {
    state: 'left',
    removed: Math.max(0, found.length - left.length),
    left: [...left, ...refusals],
  };
}

async function deleteAll(
  { client, clock }: CleanUpRequest,
  found: readonly FoundNamespace[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const results = await Promise.all(
    found.map(async ({ name }) => {
      const path = `/api/v1/namespaces/${name}`;
      const send = () => client.request('DELETE', path, undefined, { signal });
      // 409 is the answer for one that is being deleted already.
      const done = ({ status }: { status: number }) => status === 404 || status === 409;
      const result = await writeObject({ clock, signal }, send, done);
      return result.ok ? [] : [`namespace ${name}: ${result.text}`];
    }),
  );
  return results.flat();
}

function causeText(cause: unknown): string {
  const [known] = userErrorsOf(cause);
  if (known !== undefined) return known.given ?? known.problem;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Ours: an API server that does not answer a list for so long will not delete anything either. */
const READ_BUDGET: Milliseconds = 45_000;
