import type {
  KubeAnswer,
  KubeClient,
  KubeList,
  KubeObject,
  KubeWatchEvent,
  WatchEnd,
} from '../../workload/kube/kube-client.js';

/** What a test may do to one request: let it through, refuse it, or lose the answer after the deed. */
export type Interference = 'pass' | 'refuse' | 'lose-answer';

/** An API server in memory, as far as a controller uses one. */
export interface MemoryKube {
  /** A client of its own; closing it ends its watches. */
  client(): KubeClient;
  /** Creates or changes an object by its path, as somebody else would. */
  put(path: string, object: Record<string, unknown>): KubeObject;
  remove(path: string): void;
  /** Objects of a collection such as `/apis/cilium.io/v2/ciliumnodes`, in every namespace. */
  all(collection: string): readonly KubeObject[];
  /** Ends every watch; `expired` makes followers list again. */
  breakWatches(end: WatchEnd): void;
  /** Every write so far, as `POST /path`. */
  readonly writes: string[];
  /** Asked for each write. */
  interfere: (method: string, path: string, body: unknown) => Interference;
}

interface Watcher {
  readonly collection: string;
  readonly onEvent: (event: KubeWatchEvent) => void;
  readonly end: (end: WatchEnd) => void;
}

interface World {
  readonly objects: Map<string, KubeObject>;
  readonly watchers: Set<Watcher>;
  /** Every event, so that a watch can start in the past. */
  readonly history: { readonly version: number; readonly path: string; event: KubeWatchEvent }[];
  version: number;
}

/** An empty one. Answers come a macrotask later, so that requests overlap. */
export function createMemoryKube(): MemoryKube {
  const world: World = { objects: new Map(), watchers: new Set(), history: [], version: 1 };
  const kube: MemoryKube = {
    writes: [],
    interfere: () => 'pass',
    client: () => clientOf(world, kube),
    put: (path, object) => store(world, path, object),
    remove: (path) => {
      drop(world, path);
    },
    all: (collection) => inCollection(world, collection),
    breakWatches: (end) => {
      for (const watcher of [...world.watchers]) watcher.end(end);
    },
  };
  return kube;
}

function clientOf(world: World, kube: MemoryKube): KubeClient {
  const closed = new AbortController();
  const write = async (
    method: string,
    path: string,
    body: unknown,
    deed: () => KubeAnswer,
  ): Promise<KubeAnswer> => {
    kube.writes.push(`${method} ${path}`);
    await nextTask();
    if (closed.signal.aborted) return refusal(0, 'Aborted');
    const interference = kube.interfere(method, path, body);
    if (interference === 'refuse') return refusal(503, 'ServiceUnavailable');
    const answer = deed();
    await nextTask();
    return interference === 'lose-answer' ? refusal(0, 'Timeout') : answer;
  };
  return {
    access: { server: 'memory://', credential: { kind: 'none' } },
    request: async (method, path, body) => {
      if (method === 'GET') {
        await nextTask();
        return read(world, path);
      }
      return await write(method, path, body, () => change(world, method, path, body));
    },
    patch: (path, _kind, body) => write('PATCH', path, body, () => jsonPatch(world, path, body)),
    list: async (path): Promise<KubeList> => {
      await nextTask();
      return { resourceVersion: String(world.version), items: inCollection(world, path) };
    },
    watch: (path, { resourceVersion }, handlers, signal) =>
      new Promise((resolve) => {
        const watcher: Watcher = {
          collection: path,
          onEvent: (event) => {
            handlers.onEvent(event);
          },
          end: (end) => {
            world.watchers.delete(watcher);
            resolve(end);
          },
        };
        world.watchers.add(watcher);
        handlers.onOpen?.();
        for (const { version, path: changed, event } of world.history) {
          if (version > Number(resourceVersion)) tellOne(world, watcher, changed, event);
        }
        for (const ended of [signal, closed.signal]) {
          ended.addEventListener('abort', () => {
            watcher.end({ reason: 'aborted' });
          });
        }
      }),
    close: () => {
      closed.abort();
      return Promise.resolve();
    },
  };
}

function read(world: World, path: string): KubeAnswer {
  const [bare = ''] = path.split('?');
  const object = world.objects.get(bare);
  if (object !== undefined) return { ok: true, status: 200, body: object };
  if (!path.includes('limit=')) return refusal(404, 'NotFound');
  const metadata = { resourceVersion: String(world.version) };
  return { ok: true, status: 200, body: { metadata, items: inCollection(world, bare) } };
}

function change(world: World, method: string, path: string, body: unknown): KubeAnswer {
  const given = body as Record<string, unknown> & {
    metadata?: { name: string };
    preconditions?: { uid?: string };
  };
  if (method === 'POST') {
    const target = `${path}/${given.metadata?.name ?? ''}`;
    if (world.objects.has(target)) return refusal(409, 'AlreadyExists');
    return { ok: true, status: 201, body: store(world, target, given) };
  }
  const existing = world.objects.get(path);
  if (existing === undefined) return refusal(404, 'NotFound');
  const { uid } = given.preconditions ?? {};
  if (uid !== undefined && uid !== existing.metadata.uid) return refusal(409, 'Conflict');
  drop(world, path);
  return { ok: true, status: 200, body: { kind: 'Status' } };
}

function jsonPatch(world: World, path: string, body: unknown): KubeAnswer {
  const existing = world.objects.get(path);
  if (existing === undefined) return refusal(404, 'NotFound');
  const changed = JSON.parse(JSON.stringify(existing)) as Record<string, unknown>;
  for (const step of body as { op: string; path: string; value: unknown }[]) {
    const names = step.path.slice(1).split('/');
    const last = names.pop() ?? '';
    const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, changed);
    if (step.op === 'test' && parent[last] !== step.value) return refusal(422, 'Invalid');
    if (step.op === 'add') parent[last] = step.value;
  }
  return { ok: true, status: 200, body: store(world, path, changed) };
}

/** As etcd and the API server would: uid once, a new version each time, empty maps left out. */
function store(world: World, path: string, object: Record<string, unknown>): KubeObject {
  const before = world.objects.get(path);
  const { metadata, ...rest } = JSON.parse(JSON.stringify(object)) as {
    metadata: Record<string, unknown>;
  };
  world.version += 1;
  const filled = Object.entries(metadata).filter(
    ([, value]) => typeof value !== 'object' || value === null || Object.keys(value).length > 0,
  );
  const stored = {
    ...rest,
    metadata: {
      ...Object.fromEntries(filled),
      uid: before?.metadata.uid ?? `uid-${world.version}`,
      resourceVersion: String(world.version),
    },
  } as unknown as KubeObject;
  world.objects.set(path, stored);
  tell(world, path, { type: before === undefined ? 'added' : 'modified', object: stored });
  return stored;
}

function drop(world: World, path: string): void {
  const object = world.objects.get(path);
  if (object === undefined) return;
  world.objects.delete(path);
  world.version += 1;
  const metadata = { ...object.metadata, resourceVersion: String(world.version) };
  tell(world, path, { type: 'deleted', object: { ...object, metadata } });
}

function tell(world: World, path: string, event: KubeWatchEvent): void {
  world.history.push({ version: world.version, path, event });
  for (const watcher of [...world.watchers]) tellOne(world, watcher, path, event);
}

function tellOne(world: World, watcher: Watcher, path: string, event: KubeWatchEvent): void {
  if (collectionOf(path) !== watcher.collection) return;
  setImmediate(() => {
    if (world.watchers.has(watcher)) watcher.onEvent(event);
  });
}

function inCollection(world: World, collection: string): readonly KubeObject[] {
  return [...world.objects]
    .filter(([path]) => collectionOf(path) === collection)
    .map(([, object]) => object);
}

/** `/api/v1/namespaces/a/pods/b` is in `/api/v1/pods`. */
function collectionOf(path: string): string {
  return path.replace(/\/namespaces\/[^/]+\/(?=[^/]+\/)/, '/').replace(/\/[^/]+$/, '');
}

function refusal(status: number, reason: string): KubeAnswer {
  return { ok: false, status, reason, message: `${reason} (in memory)` };
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
