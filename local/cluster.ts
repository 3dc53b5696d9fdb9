import { createKubeClient } from '../workload/kube/http-kube-client.js';
import type { KubeClient } from '../workload/kube/kube-client.js';
import {
  ensureDirectory,
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  writeAtomic,
} from '../workload/platform/files.js';
import { applyBaseObjects } from './base-objects.js';
import type { ClusterFacts } from './cluster-facts.js';
import { closedAtSignal } from './closed-at-signal.js';
import type { Component } from './component.js';
import { agentController } from './components/agent-controller.js';
import { clustermeshApiserver } from './components/clustermesh.js';
import { meshEtcd, stateEtcd } from './components/etcd.js';
import { apiServerUrl, kubeApiserver } from './components/kube-apiserver.js';
import { kubeControllerManager, kubeScheduler } from './components/kube-controllers.js';
import { adminKubeconfig } from './components/kubeconfig-file.js';
import { kwok } from './components/kwok.js';
import { ensureNodes } from './nodes.js';
import { ensureRunning, type Supervision } from './supervise.js';
import { together } from './together.js';

/**
 * Brings one cluster up to the point where it exports to its own mesh etcd; what connects it to its
 * peers comes when all clusters stand. Gives how many of its processes had to be started.
 */
export async function bringUpCluster(cluster: ClusterFacts, by: Supervision): Promise<number> {
  await prepareFolders(cluster);
  const count = startCounter(cluster, by);
  await count(by.signal, [meshEtcd(cluster), stateEtcd(cluster)]);
  await count(by.signal, [kubeApiserver(cluster)]);
  await closedAtSignal(adminClient(cluster), by.signal, async (client) => {
    await applyBaseObjects(cluster.role, client, by);
    await together(by.signal, [
      (signal) =>
        count(signal, [kubeControllerManager(cluster), kubeScheduler(cluster), kwok(cluster)]),
      (signal) => count(signal, [agentController(cluster), clustermeshApiserver(cluster)]),
      () => ensureNodes(cluster, client),
    ]);
  });
  const started = count.total();
  by.progress.report({
    subject: cluster.role,
    state: 'done',
    text:
      started === 0
        ? 'is up already'
        : `is up: ${cluster.spec.nodes} nodes, ${started} ${started === 1 ? 'process' : 'processes'} started`,
  });
  return started;
}

/** A client of the cluster's API server with all rights. Close it. */
export function adminClient(cluster: ClusterFacts): KubeClient {
  const { caPem, certPem, keyPem } = cluster.credentials.kube.admin;
  return createKubeClient({
    server: apiServerUrl(cluster),
    caPem,
    credential: { kind: 'certificate', certPem, keyPem },
  });
}

async function prepareFolders(cluster: ClusterFacts): Promise<void> {
  const { root, data, logs, etc, peers } = cluster.paths;
  for (const directory of [root, data, logs, etc, peers]) {
    await ensureDirectory(directory, PRIVATE_DIRECTORY);
  }
  const { path, content } = adminKubeconfig(cluster);
  await writeAtomic(path, content, PRIVATE_FILE);
}

function startCounter(cluster: ClusterFacts, by: Supervision) {
  let started = 0;
  const ensureAll = async (outer: AbortSignal, components: readonly Component[]): Promise<void> => {
    const missing = components.filter(({ role, name }) => by.table.find(role, name) === undefined);
    const names = missing.map(({ name }) => name).join(', ');
    // A mere look says the same at every step, so that it is told once.
    const text = missing.length === 0 ? 'looking at what runs' : `starting ${names}`;
    by.progress.report({ subject: cluster.role, state: 'running', text });
    const results = await together(
      outer,
      components.map((one) => (signal: AbortSignal) => ensureRunning(one, { ...by, signal })),
    );
    started += results.filter((result) => result === 'started').length;
  };
  return Object.assign(ensureAll, { total: () => started });
}
