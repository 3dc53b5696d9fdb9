import { join } from 'node:path';
import { READY_BUDGET, type Component } from '../component.js';
import type { ClusterFacts } from '../cluster-facts.js';
import { componentKubeconfig } from './kubeconfig-file.js';

/** Our stand-in for Cilium's agents: the one part of a local mesh that is not the real one. */
export function agentController(cluster: ClusterFacts): Component {
  const kubeconfig = componentKubeconfig(cluster, 'agent-controller');
  const port = cluster.port('agent-controller');
  return {
    role: cluster.role,
    name: 'agent-controller',
    program: cluster.programs.ourselves.program,
    args: [
      ...cluster.programs.ourselves.args,
      'agent-controller',
      `--kubeconfig=${kubeconfig.path}`,
      `--cluster-name=${cluster.role}`,
      `--cluster-id=${cluster.number}`,
      `--port=${port}`,
    ],
    cwd: cluster.paths.root,
    logFile: join(cluster.paths.logs, 'agent-controller.log'),
    ports: { http: port },
    files: [kubeconfig],
    probe: { url: `http://127.0.0.1:${port}/readyz` },
    readyBudget: READY_BUDGET,
  };
}
