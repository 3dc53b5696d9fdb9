import type { Milliseconds } from '../../model/quantity.js';
import type { ActionFailure } from '../native/cluster-engine.js';
import type { KubeClient } from '../kube/kube-client.js';
import type { Clock } from '../platform/clock.js';

/** Looks after the API server of one cluster while a run lasts. */
export interface Heartbeat {
  /** Aborts once the API server counts as gone. */
  readonly signal: AbortSignal;
  /** Why, once it has. */
  lost(): ActionFailure | undefined;
}

/**
 * Asks the API server for its health every {@link PERIOD}. Without it a frozen API server would be
 * noticed only when a phase's whole budget is over, and every other cluster would wait at the next
 * barrier. One that answers, and says for longer that it is not ready, has lost its etcd.
 */
export function startHeartbeat(
  kube: Pick<KubeClient, 'request' | 'access'>,
  clock: Clock,
  signal: AbortSignal,
): Heartbeat {
  const gone = new AbortController();
  let failure: ActionFailure | undefined;
  const beat = async (): Promise<void> => {
    let silent = 0;
    let unwell = 0;
    while (!signal.aborted && failure === undefined) {
      const answer = await kube.request('GET', '/readyz', undefined, { timeout: TIMEOUT, signal });
      if (isOver(signal)) return;
      if (answer.status === 401) failure = expired(kube.access.server, answer);
      silent = answer.status === 0 ? silent + 1 : 0;
      if (silent === MOST_SILENT) failure = silentFailure(kube.access.server, answer);
      unwell = answer.status >= 500 ? unwell + 1 : 0;
      if (unwell === MOST_UNWELL) failure = unwellFailure(kube.access.server, answer);
      if (failure === undefined) await clock.sleep(PERIOD, signal).catch(() => undefined);
    }
    if (failure !== undefined) gone.abort(new Error(failure.text));
  };
  void beat();
  return { signal: gone.signal, lost: () => failure };
}

/** A function, because between two looks the signal changes without the compiler's knowledge. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

function silentFailure(server: string, answer: object): ActionFailure {
  return {
    cause: 'infrastructure',
    code: 'api-server-unreachable',
    text: `the API server ${server} has not answered ${MOST_SILENT} times in a row: ${messageOf(answer)}`,
    next: 'look at the API server of this cluster; the run can then be started again',
  };
}

function unwellFailure(server: string, answer: object): ActionFailure {
  const failed = [...messageOf(answer).matchAll(/^\[-\](\S+)/gm)].map(([, check]) => check);
  const what = failed.length === 0 ? messageOf(answer) : `${failed.join(', ')} failed`;
  return {
    cause: 'infrastructure',
    code: 'api-server-not-ready',
    text: `the API server ${server} has said ${MOST_UNWELL} times in a row that it is not ready: ${what}`,
    next: 'look at the API server of this cluster and at its etcd; then start the run again',
  };
}

function expired(server: string, answer: object): ActionFailure {
  return {
    cause: 'infrastructure',
    code: 'credentials-expired',
    text: `the API server ${server} does not accept our credentials any more: ${messageOf(answer)}`,
    next: 'log in again and start the run anew',
  };
}

function messageOf(answer: object): string {
  return 'message' in answer && typeof answer.message === 'string' ? answer.message : 'no answer';
}

/** Ours: a local API server under a full load still answers within seconds; a frozen one is noticed after 24 to 39 s. */
const PERIOD: Milliseconds = 5_000;
const TIMEOUT: Milliseconds = 8_000;
const MOST_SILENT = 3;
/** Ours: more patience than with silence, because an overloaded etcd comes back, and then all goes on. */
const MOST_UNWELL = 5;
