import type { Milliseconds } from '../../model/quantity.js';
import type { KubeClient } from '../../workload/kube/kube-client.js';
import type { Clock } from '../../workload/platform/clock.js';
import { readActualState } from './actual-state.js';
import { createAgentMetrics, type AgentGauges, type AgentMetrics } from './agent-metrics.js';
import { identityRange } from './identity-allocator.js';
import { createObjectWriter } from './object-writer.js';
import { createQuietLog, type QuietLog } from './quiet-log.js';
import { createReconciler, type Reconciler } from './reconciler.js';
import { startClusterWatch, type ClusterWatch } from './watch-cluster.js';

/** What the controller of one cluster needs. */
export interface AgentController {
  readonly client: KubeClient;
  /** The cluster's Cilium name: a label of every identity. */
  readonly clusterName: string;
  /** 1 … 255: the upper half of every identity number. */
  readonly clusterId: number;
  readonly clock: Clock;
  /** Ends the controller; what it wrote stays. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly options?: AgentControllerOptions | undefined;
}

/** What may be set otherwise. */
export interface AgentControllerOptions {
  /** Writes at once. @default 32 */
  readonly concurrency?: number | undefined;
  /** How long an identity outlives its last endpoint. @default 30 s */
  readonly identityGrace?: Milliseconds | undefined;
  /** How often what stands is compared with what should. @default 5 min */
  readonly resyncPeriod?: Milliseconds | undefined;
  /** @default - counters that nobody reads */
  readonly metrics?: AgentMetrics | undefined;
  /** Called once, when the first comparison is done and writing begins. */
  readonly onSynced?: ((gauges: AgentGauges) => void) | undefined;
}

/**
 * Stands in for the Cilium agents of one cluster: keeps one CiliumNode a node, one CiliumIdentity a
 * label set and one CiliumEndpoint a pod in the API server, from whatever state it finds there.
 * Resolves when the signal ends it; nothing but a defect of ours rejects.
 */
export async function runAgentController(controller: AgentController): Promise<void> {
  const { client, clock, signal, clusterName, options = {} } = controller;
  const metrics = options.metrics ?? createAgentMetrics();
  const log = createQuietLog(clock, controller.log);
  const wake: { resync?: () => void } = {};
  const watch = startClusterWatch({
    client,
    clock,
    signal,
    enqueue: (key) => {
      reconciler.enqueue(key);
    },
    onLoss: (source, end) => {
      if (end.reason === 'closed') return;
      log(`watch ${source}`, `the watch of ${source} ended (${end.reason}), following it again`);
      wake.resync?.();
    },
  });
  const reconciler = createReconciler({
    clusterName,
    clock,
    signal,
    log,
    metrics,
    source: watch.source,
    writer: createObjectWriter(client, metrics),
    concurrency: options.concurrency ?? CONCURRENCY,
    identityGrace: options.identityGrace ?? IDENTITY_GRACE,
  });
  try {
    await watch.synced;
    await Promise.race([follow(controller, { reconciler, watch, log, wake }), watch.ended]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await watch.ended;
  }
}

interface Parts {
  readonly reconciler: Reconciler;
  readonly watch: ClusterWatch;
  readonly log: QuietLog;
  /** Set while we sleep between two comparisons. */
  readonly wake: { resync?: () => void };
}

/** Compares at the start, after each lost watch, and once in a while. */
async function follow(controller: AgentController, parts: Parts): Promise<void> {
  const { clock, signal, options = {} } = controller;
  const { reconciler, watch, wake } = parts;
  for (let first = true; !signal.aborted; first = false) {
    await reconciler.resync(() => readWithPatience(controller, parts.log));
    for (const key of watch.keys()) reconciler.enqueue(key);
    if (first) {
      options.onSynced?.({
        objects: reconciler.objects,
        queueDepth: reconciler.queueDepth,
        relists: watch.relists,
      });
    }
    const woken = new AbortController();
    wake.resync = () => {
      woken.abort();
    };
    await sleepUnless(clock, options.resyncPeriod ?? RESYNC_PERIOD, signal, woken.signal);
    if (woken.signal.aborted) await clock.sleep(SETTLE, signal);
  }
}

/** There is nothing else to do without an API server, so this waits as long as it takes and says so. */
async function readWithPatience(
  { client, clock, signal, clusterId }: AgentController,
  log: QuietLog,
): ReturnType<typeof readActualState> {
  for (;;) {
    try {
      return await readActualState(client, identityRange(clusterId), signal);
    } catch (error) {
      signal.throwIfAborted();
      log('read', `cannot read what stands, trying again: ${errorText(error)}`);
      await clock.sleep(READ_PERIOD, signal);
    }
  }
}

async function sleepUnless(
  clock: Clock,
  duration: Milliseconds,
  signal: AbortSignal,
  woken: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(duration, AbortSignal.any([signal, woken]));
  } catch {
    signal.throwIfAborted();
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Ours. A write takes 5 ms on an idle local API server and up to 150 ms on an overloaded one, which
 * shares its time by requests under way: 32 at once give 200/s even then. The client needs as many
 * connections.
 */
export const CONCURRENCY = 32;
/**
 * Ours. Cilium's operator removes an identity 30 min after its last use (`identity-heartbeat-timeout`);
 * a local mesh lives for minutes, so unused identities would never be seen to go. Half a minute still
 * lets a deployment that is deleted and made again keep its number, as there.
 */
const IDENTITY_GRACE: Milliseconds = 30_000;
/** Ours: repairs what somebody changed by hand; Cilium's operator collects endpoints in this period. */
const RESYNC_PERIOD: Milliseconds = 300_000;
/** Ours: after a lost watch, time for the other watches to notice and list again, so one comparison serves all. */
const SETTLE: Milliseconds = 2_000;
/** Ours: an API server is up 4 to 7 s after its start, and then the mesh waits for us. */
const READ_PERIOD: Milliseconds = 500;
