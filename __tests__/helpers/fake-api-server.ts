import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeObject } from '../../workload/kube/kube-client.js';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.js';

/** A watch that a client has opened. */
export interface OpenWatch {
  /** Where it started. */
  readonly resourceVersion: string;
  send(type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR', object: object): void;
  write(bytes: string | Uint8Array): void;
  /** Ends the stream as a server does that has had enough. */
  end(): void;
  /** Breaks the connection. */
  break(): void;
}

/** One collection behind HTTP: it lists what `items` holds and lets the test play the watches. */
export interface FakeApiServer extends LoopbackServer {
  items: KubeObject[];
  resourceVersion: number;
  /** Answers lists and watches with this status while it is set. */
  refuse: { code: number; reason: string } | undefined;
  lists: number;
  /** The next watch that is opened, or has been and was not asked for. */
  nextWatch(): Promise<OpenWatch>;
}

/** Starts one. */
export async function startFakeApiServer(): Promise<FakeApiServer> {
  const opened: OpenWatch[] = [];
  const asked: ((watch: OpenWatch) => void)[] = [];
  const server = await startLoopbackServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    if (fake.refuse !== undefined) refuse(response, fake.refuse);
    else if (query.get('watch') === 'true') {
      const watch = openWatch(request, response, query.get('resourceVersion') ?? '');
      const waiting = asked.shift();
      if (waiting === undefined) opened.push(watch);
      else waiting(watch);
    } else {
      fake.lists += 1;
      const metadata = { resourceVersion: String(fake.resourceVersion) };
      answer(response, 200, { kind: 'List', metadata, items: fake.items });
    }
  });
  const fake: FakeApiServer = {
    ...server,
    items: [],
    resourceVersion: 1,
    refuse: undefined,
    lists: 0,
    nextWatch: () =>
      new Promise((resolve) => {
        const watch = opened.shift();
        if (watch === undefined) asked.push(resolve);
        else resolve(watch);
      }),
  };
  return fake;
}

/** An object as a server would give it. */
export function objectNamed(
  name: string,
  resourceVersion: number,
  uid = `uid-${name}`,
): KubeObject {
  const metadata = { name, namespace: 'n', uid, resourceVersion: String(resourceVersion) };
  return { kind: 'Thing', metadata };
}

function openWatch(
  request: IncomingMessage,
  response: ServerResponse,
  resourceVersion: string,
): OpenWatch {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  return {
    resourceVersion,
    send: (type, object) => response.write(`${JSON.stringify({ type, object })}\n`),
    write: (bytes) => response.write(bytes),
    end: () => response.end(),
    break: () => request.socket.destroy(),
  };
}

function refuse(response: ServerResponse, status: { code: number; reason: string }): void {
  answer(response, status.code, { kind: 'Status', message: status.reason, ...status });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
