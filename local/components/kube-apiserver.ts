import { join } from 'node:path';
import type { Milliseconds } from '../../model/quantity.js';
import { READY_BUDGET, type Component } from '../component.js';
import type { ClusterFacts } from '../cluster-facts.js';

/**
 * A start allocates much and keeps little: at Go's default of 100 the collector took a tenth of its
 * CPU time (3.1 s, with this 2.7 s) for 20 MiB less of resident memory. Seen on two cores.
 */
const HEAP_GROWTH_PERCENT = '200';

/** Each answer runs some 40 checks on a machine that is busy with nothing but starting API servers. */
const READINESS_PERIOD: Milliseconds = 200;

/** The cluster's API server: real TLS, client certificates, RBAC. */
export function kubeApiserver(cluster: ClusterFacts): Component {
  const { kube, serviceAccountPrivateFile, serviceAccountPublicFile } = cluster.credentials;
  const port = cluster.port('apiserver');
  return {
    role: cluster.role,
    name: 'kube-apiserver',
    program: cluster.programs.engines['kube-apiserver'],
    args: [
      `--etcd-servers=https://127.0.0.1:${cluster.port('etcd-client')}`,
      `--etcd-cafile=${kube['etcd-client'].caFile}`,
      `--etcd-certfile=${kube['etcd-client'].certFile}`,
      `--etcd-keyfile=${kube['etcd-client'].keyFile}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      // Only written down: a loopback address is refused here, and nothing routes to this one.
      `--advertise-address=10.${cluster.number}.0.4`,
      '--endpoint-reconciler-type=none',
      `--service-cluster-ip-range=${cluster.addresses.services}`,
      `--tls-cert-file=${kube['kube-apiserver'].certFile}`,
      `--tls-private-key-file=${kube['kube-apiserver'].keyFile}`,
      `--client-ca-file=${kube.admin.caFile}`,
      '--authorization-mode=Node,RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${serviceAccountPublicFile}`,
      `--service-account-signing-key-file=${serviceAccountPrivateFile}`,
      '--allow-privileged=true',
      '--v=1',
    ],
    env: { GOGC: HEAP_GROWTH_PERCENT },
    cwd: cluster.paths.root,
    logFile: join(cluster.paths.logs, 'kube-apiserver.log'),
    ports: { https: port },
    files: [],
    probe: { url: `${apiServerUrl(cluster)}/readyz`, tls: kube.admin, period: READINESS_PERIOD },
    readyBudget: READY_BUDGET,
  };
}

/** Where the API server of a cluster listens. */
export function apiServerUrl(cluster: ClusterFacts): string {
  return `https://127.0.0.1:${cluster.port('apiserver')}`;
}
