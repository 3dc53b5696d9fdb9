import type { Inventory, InventoryCluster } from '../../model/inventory.js';
import type { Cl2Job } from './generate.js';

/** Where ClusterLoader2 finds its input and puts its output, as it sees them itself. */
export interface Cl2Places {
  readonly config: string;
  readonly report: string;
  /** @default - it runs inside of its cluster */
  readonly kubeconfig?: string | undefined;
  /** The folder of PodMonitors; used with a Prometheus of its own only. */
  readonly monitors: string;
}

/**
 * The command line. Numbers of nodes and clients are always given, because ClusterLoader2 would count
 * untainted nodes (mock nodes are tainted) and then take one client. @see data/clusterloader2.md §2
 */
export function cl2Arguments(
  { clients, prometheus }: Pick<Cl2Job, 'clients' | 'prometheus'>,
  { nodes }: Pick<InventoryCluster, 'nodes'>,
  target: Inventory['target'],
  { config, report, kubeconfig, monitors }: Cl2Places,
): readonly string[] {
  return [
    `--provider=${PROVIDERS[target]}`,
    kubeconfig === undefined ? '--run-from-cluster=true' : `--kubeconfig=${kubeconfig}`,
    `--testconfig=${config}`,
    `--report-dir=${report}`,
    `--nodes=${Math.max(1, nodes)}`,
    `--k8s-clients-number=${clients}`,
    // It only asks for an untainted node; preflight has looked at more.
    '--skip-cluster-verification',
    '--enable-exec-service=false',
    `--enable-prometheus-server=${String(prometheus === 'own')}`,
    ...(prometheus === 'own'
      ? ['--tear-down-prometheus-server=true', `--prometheus-additional-monitors-path=${monitors}`]
      : []),
    // Two on one machine would ask for the same port otherwise.
    '--port=0',
    // Step markers come at this level, and nothing else tells where a run is.
    '--v=2',
  ];
}

/** @see data/clusterloader2.md §2.4 */
const PROVIDERS: Readonly<Record<Inventory['target'], string>> = {
  azure: 'aks',
  kubeconfig: 'kind',
  local: 'local',
};

/** The whole environment: a stray `CL2_…` would become a parameter, a stray KUBECONFIG a cluster. */
export function cl2Environment(
  { prometheus, run }: Pick<Cl2Job, 'prometheus'> & { readonly run?: { readonly id: string } },
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own = prometheus === 'own' ? { ...OWN_PROMETHEUS, ...settings } : {};
  const marked = run === undefined ? {} : { [RUN_VARIABLE]: run.id };
  return { TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin', ...marked, ...own };
}

/** By this a process of a run is found when its runner was killed and nobody wrote it down. */
export const RUN_VARIABLE = 'MESHSCALE_RUN';

/** Its default is a volume of a class that only one cloud has. @see data/clusterloader2.md §5, trap 1 */
const OWN_PROMETHEUS = { CL2_PROMETHEUS_PVC_ENABLED: 'false' };
