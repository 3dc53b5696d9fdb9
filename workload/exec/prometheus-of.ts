import type { ConnectedCluster } from '../inventory/cluster-connection.js';
import type { KubeClient } from '../kube/kube-client.js';
import { PROMETHEUS_SERVICE, serviceProxyPath } from '../kube/service-proxy.js';
import type { Milliseconds } from '../../model/quantity.js';
import {
  directHttp,
  prometheusSource,
  type PrometheusAnswer,
  type PrometheusHttp,
  type PrometheusSource,
} from '../measure/prometheus-source.js';
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
        source: patientOnce(prometheusSource(directHttp(prometheus.url, DEADLINE))),
        selection: stampedSelection(role),
      };
    case 'in-cluster': {
      if (one.state !== 'connected') return undefined;
      const http = proxiedHttp(one.connection.kube, prometheus.url ?? PROMETHEUS_SERVICE);
      return { source: patientOnce(prometheusSource(http)), selection: inClusterSelection };
    }
    case 'azure-monitor':
    case undefined:
      return undefined;
  }
}

/**
 * Gives up on a Prometheus that is silent: a run asks hundreds of questions one after the other, and
 * would wait for hours for one that is frozen. What it said last is the reason for all the others.
 */
export function patientOnce(source: PrometheusSource): PrometheusSource {
  let silent = 0;
  let last: PrometheusAnswer | undefined;
  const asked = async (ask: () => Promise<PrometheusAnswer>): Promise<PrometheusAnswer> => {
    if (silent >= MOST_SILENT && last !== undefined) return last;
    const answer = await ask();
    silent = !answer.ok && answer.silent === true ? silent + 1 : 0;
    last = answer;
    return answer;
  };
  return {
    instant: (expression, at, signal) => asked(() => source.instant(expression, at, signal)),
    range: (expression, range, signal) => asked(() => source.range(expression, range, signal)),
  };
}

/** Ours: one lost answer is an accident. */
const MOST_SILENT = 2;

/** Ours: every query is over one cluster and some minutes; a busy Prometheus needs a second. */
const DEADLINE: Milliseconds = 15_000;

/** Prometheus behind the API server's proxy: reachable wherever the cluster is. */
function proxiedHttp(kube: KubeClient, service: string): PrometheusHttp {
  const base = serviceProxyPath(service);
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
