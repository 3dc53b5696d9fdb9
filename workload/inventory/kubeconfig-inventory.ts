import { clusterNumber, clusterRole } from '../../model/cluster-identity.js';
import {
  INVENTORY_SCHEMA_VERSION,
  type Inventory,
  type InventoryCluster,
} from '../../model/inventory.js';
import { throwAll, userErrorsOf, type UserError } from '../../model/user-error.js';
import { createKubeClient } from '../kube/http-kube-client.js';
import { accessFromKubeconfig, readKubeconfig } from '../kube/kubeconfig.js';
import type { Clock } from '../platform/clock.js';
import { discoverFacts } from './cilium-facts.js';
import { inventoryErrors } from './errors.js';

/** Which clusters, and how to look at them. */
export interface KubeconfigRequest {
  /** A context that stands in several is taken from the first, as kubectl does. */
  readonly files: readonly [string, ...string[]];
  readonly contexts: readonly string[];
  /** `namespace/name:port` of the Prometheus in each cluster. @default - where kube-prometheus puts it */
  readonly prometheusService?: string | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The inventory of clusters that the user names by their contexts. Throws, all at once, for contexts
 * that are not there; a cluster that does not answer is in the inventory with what is known of it.
 */
export async function kubeconfigInventory(request: KubeconfigRequest): Promise<Inventory> {
  const { files, contexts, clock } = request;
  const known = await contextsOf(files);
  if (contexts.length === 0) throw noContexts(files.join(':'), [...known.keys()]);
  const numbers = numbersOf(contexts);
  const found = await Promise.all(
    contexts.map((context, index) => {
      const place = { file: known.get(context) ?? files[0], context };
      return look(request, place, numbers[index] ?? index + 1);
    }),
  );
  throwAll([...serviceMistakes(request), ...found.flatMap(({ errors }) => errors)]);
  return {
    schemaVersion: INVENTORY_SCHEMA_VERSION,
    target: 'kubeconfig',
    meshName: 'kubeconfig',
    createdAt: new Date(clock.now()).toISOString(),
    partial: false,
    expectedClusters: contexts.length,
    network: { mode: 'unknown' },
    clusters: found
      .flatMap(({ cluster }) => cluster ?? [])
      .sort((one, other) => one.number - other.number),
  };
}

/** Every context, with the file that it is taken from. */
async function contextsOf(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const read = await Promise.all(
    files.map(async (file) => {
      const { contexts } = await readKubeconfig(file);
      return contexts.map(({ name }) => [name, file] as const);
    }),
  );
  // What comes later in a map replaces what came before: the first file has to come last.
  return new Map(read.toReversed().flat());
}

/** `mesh-007` keeps its number when every context has one of its own; otherwise their order counts. */
function numbersOf(contexts: readonly string[]): readonly number[] {
  const own = contexts.map((context) => clusterNumber(context) ?? 0);
  const usable = own.every((number) => number >= 1 && number <= 255);
  return usable && new Set(own).size === own.length ? own : contexts.map((_, index) => index + 1);
}

interface ContextPlace {
  readonly file: string;
  readonly context: string;
}

interface Found {
  readonly cluster?: InventoryCluster;
  readonly errors: readonly UserError[];
}

/** A Service name is a DNS label, its port a number or a name. @see Kubernetes API, ServicePort */
const SERVICE = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9-]+$/;

function serviceMistakes({ prometheusService }: KubeconfigRequest): readonly UserError[] {
  if (prometheusService === undefined || SERVICE.test(prometheusService)) return [];
  return [
    inventoryErrors.make('inventory/bad-service', {
      problem: '--prometheus-service does not name a Service and its port',
      given: prometheusService,
      expected: 'namespace/name:port, as monitoring/prometheus-k8s:9090',
      next: 'correct it; kubectl get services --all-namespaces lists them',
    }),
  ];
}

async function look(
  request: KubeconfigRequest,
  place: ContextPlace,
  number: number,
): Promise<Found> {
  const { clock, signal } = request;
  try {
    const access = await accessFromKubeconfig(place.file, place.context);
    const kube = createKubeClient(access, { clock });
    try {
      const facts = await discoverFacts(kube, signal);
      return { cluster: clusterOf(request, place, number, facts), errors: [] };
    } finally {
      await kube.close();
    }
  } catch (error) {
    const errors = userErrorsOf(error);
    if (errors.length === 0) throw error;
    // A plugin that cannot log in is one cluster's trouble; a wrong name is the user's.
    const mistakes = errors.filter(({ exit }) => exit === 'bad-input');
    if (mistakes.length > 0) return { errors: mistakes };
    const nothing = { nodes: 0, podCidrs: [], nodeCidrs: [] };
    return { cluster: clusterOf(request, place, number, nothing), errors: [] };
  }
}

function clusterOf(
  { prometheusService }: KubeconfigRequest,
  place: ContextPlace,
  number: number,
  facts: Awaited<ReturnType<typeof discoverFacts>>,
): InventoryCluster {
  return {
    role: clusterRole(number),
    number,
    ...facts,
    serviceCidrs: [],
    podNetwork: 'flat',
    // Somebody else's clusters run real nodes; KWOK's would say so by their own target.
    datapath: true,
    access: { kind: 'kubeconfig', ...place },
    prometheus: {
      kind: 'in-cluster',
      ...(prometheusService === undefined ? {} : { url: prometheusService }),
    },
  };
}

function noContexts(file: string, known: readonly string[]): UserError {
  return inventoryErrors.make('inventory/no-contexts', {
    problem: '--target kubeconfig needs to be told which contexts are the clusters',
    given: file,
    expected: known.length === 0 ? 'contexts of this file' : `some of ${known.join(', ')}`,
    next: 'give --contexts a,b with one context for each cluster',
  });
}
