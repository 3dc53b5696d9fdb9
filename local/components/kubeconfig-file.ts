import { join } from 'node:path';
import { kubeconfigText } from '../../workload/kube/kubeconfig-text.js';
import type { ClusterFacts } from '../cluster-facts.js';
import type { ComponentFile } from '../component.js';
import type { ClusterCertificate } from '../credentials.js';
import { apiServerUrl } from './kube-apiserver.js';

/** The kubeconfig of one of the cluster's own components. */
export function componentKubeconfig(
  cluster: ClusterFacts,
  certificate: ClusterCertificate,
): ComponentFile {
  return {
    path: join(cluster.paths.etc, `${certificate}.kubeconfig`),
    content: kubeconfigFor(cluster, certificate, `${cluster.role}-${certificate}`),
  };
}

/** The kubeconfig for people; its names are unique over all clusters, so several can be merged. */
export function adminKubeconfig(cluster: ClusterFacts): ComponentFile {
  return {
    path: cluster.paths.kubeconfig,
    content: kubeconfigFor(cluster, 'admin', `${cluster.role}-admin`),
  };
}

function kubeconfigFor(
  cluster: ClusterFacts,
  certificate: ClusterCertificate,
  user: string,
): string {
  const { caPem, certPem, keyPem } = cluster.credentials.kube[certificate];
  const names = { cluster: cluster.role, user, context: cluster.role };
  return kubeconfigText({ ...names, server: apiServerUrl(cluster), caPem, certPem, keyPem });
}
