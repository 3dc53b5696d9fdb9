import { join } from 'node:path';
import { stringify } from 'yaml';
import { READY_BUDGET, type Component } from '../component.js';
import type { ClusterFacts } from '../cluster-facts.js';
import { componentKubeconfig } from './kubeconfig-file.js';

/**
 * Client limits of controller manager and scheduler. Their defaults (20 and 50 requests/s) would be
 * what a load test measures; chosen high enough that the API server is the first limit.
 */
const CLIENT_QPS = 1_000;
const CLIENT_BURST = 2_000;

/** Health and metrics may be read without a token: they are on loopback. */
const OPEN_PATHS = '--authorization-always-allow-paths=/healthz,/livez,/readyz,/metrics';

/** kube-controller-manager: deployments, endpoints, garbage collection, service accounts. */
export function kubeControllerManager(cluster: ClusterFacts): Component {
  const { kube, serviceAccountPrivateFile } = cluster.credentials;
  const kubeconfig = componentKubeconfig(cluster, 'kube-controller-manager');
  const port = cluster.port('controller-manager');
  return {
    role: cluster.role,
    name: 'kube-controller-manager',
    program: cluster.programs.engines['kube-controller-manager'],
    args: [
      `--kubeconfig=${kubeconfig.path}`,
      ...servingArguments(cluster, port),
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${serviceAccountPrivateFile}`,
      `--root-ca-file=${kube.admin.caFile}`,
      `--kube-api-qps=${CLIENT_QPS}`,
      `--kube-api-burst=${CLIENT_BURST}`,
      // Rolling restarts of many deployments at once; the default of 5 workers would be the limit.
      '--concurrent-deployment-syncs=20',
      '--concurrent-replicaset-syncs=20',
      '--concurrent-service-endpoint-syncs=20',
    ],
    cwd: cluster.paths.root,
    logFile: join(cluster.paths.logs, 'kube-controller-manager.log'),
    ports: { https: port },
    files: [kubeconfig],
    probe: { url: `https://127.0.0.1:${port}/healthz`, tls: kube.admin },
    readyBudget: READY_BUDGET,
  };
}

/** kube-scheduler. */
export function kubeScheduler(cluster: ClusterFacts): Component {
  const kubeconfig = componentKubeconfig(cluster, 'kube-scheduler');
  const port = cluster.port('scheduler');
  const configuration = {
    path: join(cluster.paths.etc, 'kube-scheduler.yaml'),
    content: stringify({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      clientConnection: { kubeconfig: kubeconfig.path, qps: CLIENT_QPS, burst: CLIENT_BURST },
      leaderElection: { leaderElect: false },
    }),
  };
  return {
    role: cluster.role,
    name: 'kube-scheduler',
    program: cluster.programs.engines['kube-scheduler'],
    args: [`--config=${configuration.path}`, ...servingArguments(cluster, port)],
    cwd: cluster.paths.root,
    logFile: join(cluster.paths.logs, 'kube-scheduler.log'),
    ports: { https: port },
    files: [kubeconfig, configuration],
    probe: { url: `https://127.0.0.1:${port}/healthz`, tls: cluster.credentials.kube.admin },
    readyBudget: READY_BUDGET,
  };
}

function servingArguments(cluster: ClusterFacts, port: number): readonly string[] {
  const server = cluster.credentials.kube['component-server'];
  return [
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${server.certFile}`,
    `--tls-private-key-file=${server.keyFile}`,
    OPEN_PATHS,
  ];
}
