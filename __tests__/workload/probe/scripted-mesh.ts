import type {
  KubeAnswer,
  KubeClient,
  KubeObject,
  KubeWatchEvent,
} from '../../../workload/kube/kube-client.js';
import type { ProbeCluster } from '../../../workload/probe/probe-plan.js';
import type { VirtualClock } from '../../helpers/virtual-clock.js';
import { createMemoryEtcd, type MemoryEtcd } from './memory-etcd.js';

/** Milliseconds of each stage; a peer's link may be `never`. */
export interface MeshScript {
  readonly clock: VirtualClock;
  /** From a pod's creation to ready; the same to its end. */
  readonly start: number;
  /** To its CiliumEndpoint and EndpointSlice. */
  readonly local: number;
  readonly export: number;
  /** Asked for each change that goes over a link. */
  link: (source: string, reader: string, what: 'seen' | 'gone') => number | 'never';
  /** Asked for each creation. */
  refuse: (role: string, path: string) => KubeAnswer | undefined;
}

export interface ScriptedCluster extends ProbeCluster {
  readonly etcd: MemoryEtcd;
  /** Every write, as `POST /path`. */
  readonly writes: string[];
  /** Paths of what stands now. */
  objects(): readonly string[];
}

/** Clusters that do to a pod what a mesh does, at given times. */
export function createScriptedMesh(roles: readonly string[], script: MeshScript) {
  const clusters = new Map<string, ScriptedCluster>();
  for (const role of roles) clusters.set(role, createCluster(role, script, clusters));
  return [...clusters.values()];
}

interface Watcher {
  readonly collection: string;
  tell(event: KubeWatchEvent): void;
}

function createCluster(
  role: string,
  script: MeshScript,
  all: ReadonlyMap<string, ScriptedCluster>,
): ScriptedCluster {
  const etcd = createMemoryEtcd();
  const writes: string[] = [];
  const stored = new Map<string, KubeObject>();
  const watchers = new Set<Watcher>();
  let version = 1;
  const store = (path: string, object: KubeObject | undefined): void => {
    const before = stored.get(path);
    version += 1;
    const type = object === undefined ? 'deleted' : before === undefined ? 'added' : 'modified';
    const body = object ?? before;
    if (object === undefined) stored.delete(path);
    else stored.set(path, object);
    if (body === undefined) return;
    const collection = path.slice(0, path.lastIndexOf('/'));
    const metadata = { ...body.metadata, resourceVersion: String(version) };
    for (const one of watchers) {
      if (one.collection === collection) one.tell({ type, object: { ...body, metadata } });
    }
  };
  const travel = travelOf(role, script, all, store);
  const request: KubeClient['request'] = (method, path, body) => {
    if (method === 'GET') {
      return answer({ metadata: { resourceVersion: String(version) }, items: [] });
    }
    writes.push(`${method} ${path}`);
    if (method === 'POST') {
      const refused = script.refuse(role, path);
      if (refused !== undefined) return Promise.resolve(refused);
      const object = body as KubeObject;
      const full = `${path}/${object.metadata.name}`;
      store(full, object);
      void travel(full, object, 'seen');
      return answer(object);
    }
    const [bare = ''] = path.split('?');
    for (const [full, object] of [...stored]) {
      if (full !== bare && !(path.includes('?') && full.startsWith(`${bare}/`))) continue;
      void travel(full, object, 'gone');
    }
    return answer({});
  };
  const watch: KubeClient['watch'] = (path, _from, handlers, signal) =>
    new Promise((resolve) => {
      const watcher = {
        collection: path,
        tell: (event: KubeWatchEvent) => {
          handlers.onBytes?.();
          handlers.onEvent(event);
        },
      };
      watchers.add(watcher);
      signal.addEventListener('abort', () => {
        watchers.delete(watcher);
        resolve({ reason: 'aborted' });
      });
      handlers.onOpen?.();
    });
  const kube = { access: { server: role }, request, watch } as unknown as KubeClient;
  const objects = () => [...stored.keys()];
  return { role, ciliumName: `c-${role}`, kube, meshEtcd: etcd.client, etcd, writes, objects };
}

/** A pod's way: itself, its endpoint and slice, the keys here, the keys in every peer. */
function travelOf(
  role: string,
  script: MeshScript,
  all: ReadonlyMap<string, ScriptedCluster>,
  store: (path: string, object: KubeObject | undefined) => void,
) {
  let address = 0;
  const addressOf = new Map<string, string>();
  const { clock } = script;
  return async (path: string, object: KubeObject, what: 'seen' | 'gone'): Promise<void> => {
    const { name } = object.metadata;
    const namespace = path.split('/namespaces/')[1]?.split('/')[0] ?? '';
    if (!path.includes('/pods/')) {
      if (what === 'gone') store(path, undefined);
      return;
    }
    await clock.sleep(script.start);
    const ip = addressOf.get(name) ?? `10.1.0.${(address += 1)}`;
    addressOf.set(name, ip);
    const ready = { podIP: ip, conditions: [{ type: 'Ready', status: 'True' }] };
    const here = what === 'seen';
    store(path, here ? { ...object, spec: { nodeName: 'n' }, status: ready } : undefined);
    await clock.sleep(script.local);
    const base = `/namespaces/${namespace}`;
    const labels = { 'kubernetes.io/service-name': name };
    const addressing = [{ ipv4: ip }];
    store(
      `/apis/cilium.io/v2${base}/ciliumendpoints/${name}`,
      here ? { metadata: { name, namespace }, status: { networking: { addressing } } } : undefined,
    );
    store(`/apis/discovery.k8s.io/v1${base}/endpointslices/${name}`, {
      metadata: { name, namespace, labels },
      endpoints: here ? [{ addresses: [ip], conditions: { ready: true } }] : [],
    });
    await clock.sleep(script.export);
    const write = (etcd: MemoryEtcd, area: string, network: string): void => {
      const value = { IP: ip, K8sNamespace: namespace, K8sPodName: name };
      const key = `cilium/${area}/ip/v1/${network}/${ip}`;
      if (here) etcd.put(key, value);
      else etcd.remove(key);
      const backends = here ? { [ip]: {} } : {};
      etcd.put(`cilium/${area}/services/v1/c-${role}/${namespace}/${name}`, { backends });
    };
    const own = all.get(role);
    if (own !== undefined) write(own.etcd, 'state', 'default');
    await Promise.all(
      [...all.values()]
        .filter((peer) => peer.role !== role)
        .map(async (peer) => {
          const delay = script.link(role, peer.role, what);
          if (delay === 'never') return;
          await clock.sleep(delay);
          write(peer.etcd, 'cache', `c-${role}`);
        }),
    );
  };
}

function answer(body: unknown): Promise<KubeAnswer> {
  return Promise.resolve({ ok: true, status: 200, body });
}
