import type { ConnectedCluster } from '../inventory/cluster-connection.js';
import type { KubeClient } from '../kube/kube-client.js';
import { directHttp, prometheusSource, type PrometheusHttp } from '../measure/prometheus-source.js';
import { inClusterSelection, stampedSelection } from '../measure/selector.js';
import type { ClusterMetrics } from './evaluate-cluster.js';

/** The Prometheus that knows a cluster, by what the inventory says; undefined when it says nothing. */
export function prometheusOf(one: ConnectedCluster): ClusterMetrics | undefined {
  const cluster = one.state === 'connected' ? one.connection.cluster : one.cluster;
  const { prometheus, role } = cluster;
  switch (prometheus?.kind) {
    case 'local':
    case 'url':
      if (prometheus.url === undefined) return undefined;
      return {
        source: prometheusSource(directHttp(prometheus.url)),
        selection: stampedSelection(role),
      };
    case 'in-cluster': {
      if (one.state !== 'connected') return undefined;
      const http = proxiedHttp(one.connection.kube, prometheus.url ?? SERVICE);
      return { source: prometheusSource(http), selection: inClusterSelection };
    }
    case 'azure-monitor':
    case undefined:
      return undefined;
  }
}

/** Prometheus behind the API server's proxy: reachable wherever the cluster is. */
function proxiedHttp(kube: KubeClient, service: string): PrometheusHttp {
  const [namespace = '', name = ''] = service.split('/');
  const base = `/api/v1/namespaces/${namespace}/services/${name}/proxy`;
  return {
    get: async (path, fields, signal) => {
      const query = new URLSearchParams(fields).toString();
      const answer = await kube.request('GET', `${base}${path}?${query}`, undefined, { signal });
      if (!answer.ok) throw new Error(`${service}: ${answer.reason}: ${answer.message}`);
      const { body, status } = answer;
      return { status, text: typeof body === 'string' ? body : JSON.stringify(body) };
    },
  };
}

/** Where ClusterLoader2's monitoring stack and kube-prometheus put it. */
const SERVICE = 'monitoring/prometheus-k8s:9090';
