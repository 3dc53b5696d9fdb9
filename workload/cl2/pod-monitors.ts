import { blockYaml } from './config-text.js';

/** A file of the folder that `--prometheus-additional-monitors-path` names. */
export interface MonitorFile {
  readonly file: string;
  readonly text: string;
}

/**
 * PodMonitors for the three ports of a mesh: Prometheus in each cluster then sees exporter (9962),
 * etcd (9963) and kvstoremesh (9964). ClusterLoader2 applies them after its own stack.
 * @see data/measurements.md §2
 */
export function podMonitorFiles(): readonly MonitorFile[] {
  return MONITORS.map(({ name, selector, port }) => ({
    file: `${name}.yaml`,
    text: blockYaml(podMonitor(name, selector, port)),
  }));
}

const MESH_PODS = { 'k8s-app': 'clustermesh-apiserver' };

const MONITORS = [
  { name: 'meshscale-clustermesh-apiserver', selector: MESH_PODS, port: 9962 },
  { name: 'meshscale-clustermesh-etcd', selector: MESH_PODS, port: 9963 },
  { name: 'meshscale-kvstoremesh', selector: MESH_PODS, port: 9964 },
] as const;

/** Container ports are not always named in the pod, so that the address is made from the pod's own. */
function podMonitor(name: string, matchLabels: Readonly<Record<string, string>>, port: number) {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name, namespace: 'monitoring', labels: { 'k8s-app': name } },
    spec: {
      namespaceSelector: { matchNames: ['kube-system'] },
      selector: { matchLabels },
      podMetricsEndpoints: [
        {
          interval: SCRAPE_INTERVAL,
          path: '/metrics',
          honorLabels: true,
          relabelings: [
            {
              sourceLabels: ['__address__'],
              regex: '(.+?)(\\:\\d+)?',
              // In Go's templates `$` is plain text outside of actions.
              replacement: `$1:${port}`,
              targetLabel: '__address__',
            },
            { targetLabel: 'endpoint', replacement: String(port) },
            // One target for each declared port would be scraped otherwise; alike, they become one.
            { targetLabel: 'container', replacement: '' },
          ],
        },
      ],
    },
  };
}

/** Two scrapes have to lie within the shortest window. @see data/measurements.md §2 */
const SCRAPE_INTERVAL = '15s';
