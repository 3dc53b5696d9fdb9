import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, startLoopbackServer, type LoopbackServer } from './loopback-server.js';

/** A Kubernetes cluster behind HTTP: an API server with the controllers that make pods of Deployments. */
export interface FakeCluster extends LoopbackServer {
  /** Names of what stands in a collection, such as `namespaces` or `pods`. */
  names(collection: string): readonly string[];
  /** Every write so far, as `POST /path`. */
  readonly writes: string[];
  /** Answers nothing any more; connections stay open. */
  freeze(): void;
  /** Deployments stay as they are: no pod is made or replaced. */
  stall(): void;
}

interface Stored {
  readonly collection: string;
  readonly namespace: string | undefined;
  object: Thing;
}

interface Thing {
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    labels?: Record<string, string>;
    generation?: number;
    resourceVersion?: string;
  };
  [field: string]: unknown;
}

interface Watcher {
  readonly collection: string;
  readonly matches: (object: Thing) => boolean;
  readonly send: (type: string, object: Thing) => void;
}

/** Starts one without anything in it. */
export async function startFakeCluster(): Promise<FakeCluster> {
  const world: World = {
    things: new Map(),
    watchers: new Set(),
    gone: [],
    version: 1,
    frozen: false,
    stalled: false,
  };
  const writes: string[] = [];
  const server = await startLoopbackServer((request, response) => {
    if (world.frozen) return;
    void serve(world, writes, request, response);
  });
  return {
    ...server,
    names: (collection) =>
      [...world.things.values()]
        .filter((stored) => stored.collection === collection)
        .map(({ object }) => object.metadata.name),
    writes,
    freeze: () => {
      world.frozen = true;
      world.watchers.clear();
    },
    stall: () => {
      world.stalled = true;
    },
  };
}

interface World {
  readonly things: Map<string, Stored>;
  readonly watchers: Set<Watcher>;
  /** What is gone, as its last event had it: a watch that starts in the past is told of it. */
  readonly gone: { readonly collection: string; readonly object: Thing }[];
  version: number;
  frozen: boolean;
  stalled: boolean;
}

async function serve(
  world: World,
  writes: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  const { method = 'GET' } = request;
  const text = await bodyOf(request);
  const body = (text === '' ? {} : JSON.parse(text)) as Thing;
  if (pathname.includes('/readyz') || pathname.includes('accessreviews')) {
    answer(response, 200, { status: { allowed: true } });
    return;
  }
  const { collection, namespace, name } = placeOf(pathname);
  if (method === 'GET' && name === undefined) {
    read(world, collection, searchParams, response);
    return;
  }
  if (method !== 'GET') writes.push(`${method} ${pathname}`);
  const key = `${collection}/${namespace ?? ''}/${name ?? body.metadata.name}`;
  const known = world.things.get(key);
  if (method === 'POST') {
    if (known !== undefined) {
      refuse(response, 409, 'AlreadyExists');
      return;
    }
    answer(response, 201, put(world, key, { collection, namespace, object: body }));
  } else if (known === undefined) {
    refuse(response, 404, 'NotFound');
    return;
  } else if (method === 'DELETE') {
    answer(response, 200, { kind: 'Status' });
    remove(world, key, known);
    return;
  } else if (method === 'PATCH') {
    const object = merged(known.object, body) as Thing;
    object.metadata.generation = (known.object.metadata.generation ?? 1) + 1;
    answer(response, 200, put(world, key, { ...known, object }));
  } else {
    answer(response, 200, known.object);
  }
  if (collection === 'deployments' && method !== 'GET') setImmediate(rollOut, world, key);
}

function placeOf(pathname: string) {
  const parts = pathname.split('/').filter((part) => part !== '');
  const rest = parts[0] === 'api' ? parts.slice(2) : parts.slice(3);
  if (rest[0] === 'namespaces' && rest.length > 2) {
    return { namespace: rest[1], collection: rest[2] ?? '', name: rest[3] };
  }
  return { namespace: undefined, collection: rest[0] ?? '', name: rest[1] };
}

function read(
  world: World,
  collection: string,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const wanted = (query.get('labelSelector') ?? '').split(',').filter((part) => part !== '');
  const matches = ({ metadata }: Thing): boolean =>
    wanted.every((part) => {
      const [label = '', value] = part.split('=');
      const own = metadata.labels?.[label];
      return value === undefined ? own !== undefined : own === value;
    });
  if (query.get('watch') !== 'true') {
    const items = [...world.things.values()]
      .filter((stored) => stored.collection === collection && matches(stored.object))
      .map(({ object }) => object);
    answer(response, 200, { metadata: { resourceVersion: String(world.version) }, items });
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const send = (type: string, object: Thing): void => {
    response.write(`${JSON.stringify({ type, object })}\n`);
  };
  const watcher = { collection, matches, send };
  world.watchers.add(watcher);
  response.on('close', () => world.watchers.delete(watcher));
  // Between the list and this watch things may have changed: tell all of it again, in its order.
  const since = Number(query.get('resourceVersion'));
  const there = [...world.things.values()].map((one) => ({ ...one, type: 'ADDED' }));
  const gone = world.gone.map((one) => ({ ...one, type: 'DELETED' }));
  const missed = [...there, ...gone].filter(
    (one) => one.collection === collection && versionOf(one.object) > since && matches(one.object),
  );
  for (const { type, object } of missed.sort((a, b) => versionOf(a.object) - versionOf(b.object))) {
    send(type, object);
  }
}

function versionOf({ metadata }: Thing): number {
  return Number(metadata.resourceVersion);
}

/** The Deployment and ReplicaSet controllers, the scheduler and a kubelet, in one. */
function rollOut(world: World, key: string): void {
  const stored = world.things.get(key);
  if (stored === undefined || world.stalled || world.frozen) return;
  const { object, namespace } = stored;
  const { metadata } = object;
  const spec = object['spec'] as { replicas: number; template: { metadata: object } };
  const owned = `${namespace ?? ''}/${metadata.name}-`;
  for (const [other, pod] of [...world.things]) {
    if (other.startsWith(`pods/${owned}`)) remove(world, other, pod);
  }
  for (let index = 0; index < spec.replicas; index += 1) {
    const name = `${metadata.name}-${metadata.generation ?? 1}-${index}`;
    const pod = { metadata: { name, namespace, labels: metadata.labels }, spec: {} } as Thing;
    const place = { collection: 'pods', namespace };
    put(world, `pods/${namespace ?? ''}/${name}`, { ...place, object: pod });
    const conditions = [{ type: 'Ready', status: 'True' }];
    const running = { ...pod, spec: { nodeName: 'n' }, status: { phase: 'Running', conditions } };
    put(world, `pods/${namespace ?? ''}/${name}`, { ...place, object: running });
  }
  const { replicas } = spec;
  const status = {
    observedGeneration: metadata.generation ?? 1,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
  };
  put(world, key, { ...stored, object: { ...object, status } });
}

function put(world: World, key: string, stored: Stored): Thing {
  const before = world.things.get(key)?.object;
  world.version += 1;
  const uid = before?.metadata.uid ?? `uid-${world.version}`;
  const generation = stored.object.metadata.generation ?? 1;
  const { namespace, object } = stored;
  const metadata = { ...object.metadata, uid, generation, resourceVersion: String(world.version) };
  const next: Thing = {
    ...object,
    metadata: namespace === undefined ? metadata : { ...metadata, namespace },
  };
  world.things.set(key, { ...stored, object: next });
  tell(world, stored.collection, before === undefined ? 'ADDED' : 'MODIFIED', next);
  return next;
}

function remove(world: World, key: string, stored: Stored): void {
  if (!world.things.delete(key)) return;
  world.version += 1;
  const { collection, object, namespace } = stored;
  const metadata = { ...object.metadata, resourceVersion: String(world.version) };
  const last = { ...object, metadata };
  world.gone.push({ collection, object: last });
  tell(world, collection, 'DELETED', last);
  const { name } = object.metadata;
  for (const [other, inner] of [...world.things]) {
    const inside = collection === 'namespaces' && inner.namespace === name;
    const owned =
      collection === 'deployments' && other.startsWith(`pods/${namespace ?? ''}/${name}-`);
    if (inside || owned) remove(world, other, inner);
  }
}

function tell(world: World, collection: string, type: string, object: Thing): void {
  for (const watcher of [...world.watchers]) {
    if (watcher.collection === collection && watcher.matches(object)) watcher.send(type, object);
  }
}

function merged(before: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base = typeof before === 'object' && before !== null ? { ...before } : {};
  return Object.entries(patch).reduce<Record<string, unknown>>(
    (all, [name, value]) => ({ ...all, [name]: merged(all[name], value) }),
    base,
  );
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  answer(response, code, { kind: 'Status', code, reason, message: reason });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
