import { join } from 'node:path';
import { READY_BUDGET, type Component } from '../component.js';
import type { ClusterFacts } from '../cluster-facts.js';
import type { IssuedCertificate } from '../credentials.js';
import type { ClusterPort } from '../state/port-plan.js';

/** The store of the cluster's API server. */
export function stateEtcd(cluster: ClusterFacts): Component {
  return etcd(cluster, 'etcd', cluster.credentials.kube.etcd);
}

/** The store of the cluster mesh: what this cluster exports, and its cache of every peer. */
export function meshEtcd(cluster: ClusterFacts): Component {
  return etcd(cluster, 'mesh-etcd', cluster.credentials.mesh['mesh-etcd']);
}

function etcd(
  cluster: ClusterFacts,
  name: 'etcd' | 'mesh-etcd',
  certificate: IssuedCertificate,
): Component {
  const port = (purpose: 'client' | 'peer' | 'metrics'): number =>
    cluster.port(`${name}-${purpose}` satisfies ClusterPort);
  const metrics = `http://127.0.0.1:${port('metrics')}`;
  return {
    role: cluster.role,
    name,
    program: cluster.programs.engines.etcd,
    args: [
      `--data-dir=${join(cluster.paths.data, name)}`,
      `--listen-metrics-urls=${metrics}`,
      ...addressArguments(cluster.role, port('client'), port('peer')),
      ...tlsArguments(certificate),
      ...STORE_ARGUMENTS,
    ],
    cwd: cluster.paths.root,
    logFile: join(cluster.paths.logs, `${name}.log`),
    ports: { client: port('client'), peer: port('peer'), metrics: port('metrics') },
    files: [],
    probe: { url: `${metrics}/health` },
    readyBudget: READY_BUDGET,
  };
}

function addressArguments(role: string, clientPort: number, peerPort: number): readonly string[] {
  const client = `https://127.0.0.1:${clientPort}`;
  const peer = `https://127.0.0.1:${peerPort}`;
  return [
    `--name=${role}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${role}=${peer}`,
  ];
}

function tlsArguments({ certFile, keyFile, caFile }: IssuedCertificate): readonly string[] {
  return [
    `--cert-file=${certFile}`,
    `--key-file=${keyFile}`,
    `--trusted-ca-file=${caFile}`,
    '--client-cert-auth=true',
    `--peer-cert-file=${certFile}`,
    `--peer-key-file=${keyFile}`,
    `--peer-trusted-ca-file=${caFile}`,
    '--peer-client-cert-auth=true',
  ];
}

const STORE_ARGUMENTS: readonly string[] = [
  // A local mesh may be lost with the machine; waiting for the disk would measure the disk.
  '--unsafe-no-fsync=true',
  // As Cilium's chart sets it. @see data/mesh-model.md §1
  '--auto-compaction-mode=periodic',
  '--auto-compaction-retention=1h',
  '--log-level=warn',
];
