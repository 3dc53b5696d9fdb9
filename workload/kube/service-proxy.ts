/** Where ClusterLoader2's monitoring stack and kube-prometheus put Prometheus: `namespace/name:port`. */
export const PROMETHEUS_SERVICE = 'monitoring/prometheus-k8s:9090';

/** The path of a Service (`namespace/name:port`) behind the API server's proxy, without a slash at its end. */
export function serviceProxyPath(service: string): string {
  const [namespace = '', name = ''] = service.split('/');
  return `/api/v1/namespaces/${namespace}/services/${name}/proxy`;
}
