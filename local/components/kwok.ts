import { join } from 'node:path';
import { READY_BUDGET, type Component } from '../component.js';
import type { ClusterFacts } from '../cluster-facts.js';
import { componentKubeconfig } from './kubeconfig-file.js';
import { KWOK_STAGES } from './kwok-stages.js';

/** Nodes whose lease is older than this become NotReady; kubelet's own default. */
const LEASE_SECONDS = 40;

/** KWOK: plays the kubelets of the cluster's nodes. */
export function kwok(cluster: ClusterFacts): Component {
  const kubeconfig = componentKubeconfig(cluster, 'kwok');
  const stages = { path: join(cluster.paths.etc, 'kwok-stages.yaml'), content: KWOK_STAGES };
  const port = cluster.port('kwok');
  return {
    role: cluster.role,
    name: 'kwok',
    program: cluster.programs.engines.kwok,
    args: [
      `--kubeconfig=${kubeconfig.path}`,
      `--config=${stages.path}`,
      '--manage-all-nodes=true',
      `--cidr=${cluster.addresses.pods}`,
      `--node-ip=10.${cluster.number}.0.5`,
      `--node-lease-duration-seconds=${LEASE_SECONDS}`,
      `--server-address=127.0.0.1:${port}`,
    ],
    cwd: cluster.paths.root,
    logFile: join(cluster.paths.logs, 'kwok.log'),
    ports: { http: port },
    files: [kubeconfig, stages],
    probe: { url: `http://127.0.0.1:${port}/healthz` },
    readyBudget: READY_BUDGET,
  };
}
