import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import { accessFromKubeconfig } from '../../workload/kube/kubeconfig.js';
import type { Clock } from '../../workload/platform/clock.js';
import { createAgentMetrics, type AgentGauges } from './agent-metrics.js';
import { portTaken } from './errors.js';
import { serveHealth, type HealthServer, type HealthSource } from './health-server.js';
import { CONCURRENCY, runAgentController } from './run-agent-controller.js';

/** What the process of one cluster's agent controller is started with. */
export interface AgentControllerProcess {
  /** The file that says how to reach the API server. */
  readonly kubeconfig: string;
  /** The context in it. @default - `clusterName` */
  readonly context?: string | undefined;
  /** The cluster's Cilium name. */
  readonly clusterName: string;
  /** 1 … 255. */
  readonly clusterId: number;
  /** Of `/livez`, `/readyz` and `/metrics` on 127.0.0.1. @default 0 - any free port */
  readonly port?: number | undefined;
  readonly clock: Clock;
  /** Ends the process: the promise of {@link agentControllerMain} resolves soon after. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Told the port as soon as it is open, before the first list. @default - nobody */
  readonly onListening?: ((port: number) => void) | undefined;
}

/**
 * Runs the agent controller of one cluster until the signal ends it. `/readyz` answers 200 from the
 * first comparison with the API server on. Throws UserErrors when the kubeconfig is no good or the port
 * is taken; an API server that is down is waited for.
 */
export async function agentControllerMain(process: AgentControllerProcess): Promise<void> {
  const { clusterName, clusterId, clock, signal, log } = process;
  const access = await accessFromKubeconfig(process.kubeconfig, process.context ?? clusterName);
  const metrics = createAgentMetrics();
  let gauges: AgentGauges | undefined;
  const health = await listen(process, {
    missing: () => (gauges === undefined ? [`the first look at ${access.server}`] : []),
    metrics: () => metrics.text(gauges ?? NOTHING_YET),
  });
  process.onListening?.(health.port);
  const client = createKubeClient(access, { clock, connections: CONCURRENCY });
  const onSynced = (seen: AgentGauges): void => {
    gauges = seen;
    log(`following ${clusterName} (id ${clusterId}) at ${access.server}`);
  };
  try {
    const options = { metrics, onSynced };
    await runAgentController({ client, clusterName, clusterId, clock, signal, log, options });
  } finally {
    await client.close();
    await health.close();
  }
}

async function listen(
  { clusterName, port = 0 }: AgentControllerProcess,
  source: HealthSource,
): Promise<HealthServer> {
  try {
    return await serveHealth(port, source);
  } catch (error) {
    throw portTaken(clusterName, port, error);
  }
}

const NOTHING_YET: AgentGauges = {
  objects: () => ({ CiliumNode: 0, CiliumIdentity: 0, CiliumEndpoint: 0 }),
  queueDepth: () => 0,
  relists: () => ({}),
};
