import { join } from 'node:path';
import { stringify } from 'yaml';
import { READY_BUDGET, type Component, type ComponentFile } from '../component.js';
import type { ClusterFacts } from '../cluster-facts.js';
import type { IssuedCertificate } from '../credentials.js';
import { componentKubeconfig } from './kubeconfig-file.js';

/** The exporter: Kubernetes objects of this cluster → keys in its mesh etcd. */
export function clustermeshApiserver(cluster: ClusterFacts): Component {
  const kubeconfig = componentKubeconfig(cluster, 'clustermesh-apiserver');
  const kvstore = ownEtcdFile(cluster, 'clustermesh-apiserver-etcd.yaml');
  const metrics = cluster.port('exporter-metrics');
  const health = cluster.port('exporter-health');
  return {
    role: cluster.role,
    name: 'clustermesh-apiserver',
    program: cluster.programs.engines['clustermesh-apiserver'],
    args: [
      'clustermesh',
      `--cluster-name=${cluster.role}`,
      `--cluster-id=${cluster.number}`,
      `--k8s-kubeconfig-path=${kubeconfig.path}`,
      `--kvstore-opt=etcd.config=${kvstore.path}`,
      `--kvstore-opt=etcd.qps=${cluster.spec.exportQps}`,
      `--prometheus-serve-addr=127.0.0.1:${metrics}`,
      `--clustermesh-health-port=${health}`,
      `--gops-port=${cluster.port('exporter-gops')}`,
      '--cluster-users-enabled=false',
      '--enable-external-workloads=false',
    ],
    cwd: cluster.paths.root,
    logFile: join(cluster.paths.logs, 'clustermesh-apiserver.log'),
    ports: { metrics, health, gops: cluster.port('exporter-gops') },
    files: [kubeconfig, kvstore],
    probe: { url: `http://127.0.0.1:${health}/healthz` },
    readyBudget: READY_BUDGET,
  };
}

/** KVStoreMesh: keys of every peer → the cache in this cluster's mesh etcd. */
export function kvstoremesh(cluster: ClusterFacts): Component {
  const kvstore = ownEtcdFile(cluster, 'kvstoremesh-etcd.yaml');
  const metrics = cluster.port('kvstoremesh-metrics');
  const health = cluster.port('kvstoremesh-health');
  const api = cluster.port('kvstoremesh-api');
  return {
    role: cluster.role,
    name: 'kvstoremesh',
    program: cluster.programs.engines.kvstoremesh,
    args: [
      'kvstoremesh',
      `--cluster-name=${cluster.role}`,
      `--cluster-id=${cluster.number}`,
      `--kvstore-opt=etcd.config=${kvstore.path}`,
      `--kvstore-opt=etcd.qps=${cluster.spec.meshQps}`,
      `--clustermesh-config=${cluster.paths.peers}`,
      `--prometheus-serve-addr=127.0.0.1:${metrics}`,
      `--health-port=${health}`,
      `--api-serve-addr=127.0.0.1:${api}`,
      '--enable-gops=false',
      // Relative to the working folder: a socket's path may not exceed 107 bytes.
      '--shell-sock-path=kvstoremesh.sock',
    ],
    cwd: cluster.paths.root,
    logFile: join(cluster.paths.logs, 'kvstoremesh.log'),
    ports: { metrics, health, api },
    files: [kvstore],
    // Not /readyz: that waits for the peers, which are added when all clusters are up.
    probe: { url: `http://127.0.0.1:${metrics}/metrics` },
    readyBudget: READY_BUDGET,
  };
}

/** How a kvstoremesh reaches a peer: always through the link's own address, never the etcd itself. */
export function peerFile(cluster: ClusterFacts, peer: string, listen: string): ComponentFile {
  return {
    path: join(cluster.paths.peers, peer),
    content: etcdConfiguration(`https://${listen}`, cluster.credentials.mesh['mesh-etcd-client']),
  };
}

function ownEtcdFile(cluster: ClusterFacts, name: string): ComponentFile {
  const endpoint = `https://127.0.0.1:${cluster.port('mesh-etcd-client')}`;
  return {
    path: join(cluster.paths.etc, name),
    content: etcdConfiguration(endpoint, cluster.credentials.mesh['mesh-etcd-client']),
  };
}

function etcdConfiguration(endpoint: string, certificate: IssuedCertificate): string {
  return stringify({
    endpoints: [endpoint],
    'trusted-ca-file': certificate.caFile,
    'cert-file': certificate.certFile,
    'key-file': certificate.keyFile,
  });
}
