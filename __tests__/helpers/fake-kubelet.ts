import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createTestPki } from './test-pki.js';

/** The output of one container as a kubelet keeps it. */
export interface ContainerLog {
  add(text: string): void;
  /** The container has ended: streams that follow it end as well. */
  end(): void;
}

/** What a kubelet serves to its API server: logs, and commands in containers. */
export interface FakeKubelet {
  readonly port: number;
  /** Begins the log of a container. */
  log(pod: string, container: string): ContainerLog;
  /** Where `/meshscale` of a pod lies here; commands work there. */
  mount(pod: string, folder: string): void;
  /** Breaks every log stream that is open, in the middle of a line. */
  breakLogs(): void;
  /** Breaks the next so many commands before they end. */
  breakExecs(count: number): void;
  /** How often a log was opened. */
  readonly opened: () => number;
  stop(): Promise<void>;
}

interface KeptLog {
  readonly lines: { readonly at: Date; readonly line: string }[];
  readonly followers: Set<ServerResponse>;
  over: boolean;
}

interface KubeletWorld {
  readonly logs: Map<string, KeptLog>;
  readonly mounts: Map<string, string>;
  opened: number;
  breaking: number;
}

/** Starts one on a free port of the loopback, with TLS as a kubelet has it. */
export async function startFakeKubelet(): Promise<FakeKubelet> {
  const pki = await createTestPki();
  const { certPem, keyPem } = await pki.issue('kubelet');
  const world: KubeletWorld = { logs: new Map(), mounts: new Map(), opened: 0, breaking: 0 };
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    serveLog(world, request, response);
  });
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    serveExec(world, request, socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    log: (pod, container) => beginLog(world, `${pod}/${container}`),
    mount: (pod, folder) => void world.mounts.set(pod, folder),
    breakLogs: () => {
      for (const follower of [...world.logs.values()].flatMap((log) => [...log.followers])) {
        follower.write('2026-05-15T02:00:00.0');
        follower.destroy();
      }
    },
    breakExecs: (count) => {
      world.breaking = count;
    },
    opened: () => world.opened,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function beginLog(world: KubeletWorld, key: string): ContainerLog {
  const log: KeptLog = { lines: [], followers: new Set(), over: false };
  world.logs.set(key, log);
  return {
    add: (text) => {
      const at = new Date();
      // Nanoseconds: as many lines as there are, each has a time of its own.
      const nanos = String(log.lines.length % 1_000_000).padStart(6, '0');
      const line = `${at.toISOString().replace('Z', `${nanos}Z`)} ${text}\n`;
      log.lines.push({ at, line });
      for (const follower of log.followers) follower.write(line);
    },
    end: () => {
      log.over = true;
      for (const follower of log.followers) follower.end();
    },
  };
}

/** `/containerLogs/<namespace>/<pod>/<container>` */
function serveLog(world: KubeletWorld, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://x');
  const [, , , pod = '', container = ''] = pathname.split('/');
  const log = world.logs.get(`${pod}/${container}`);
  if (log === undefined) {
    response.writeHead(404).end('no such container');
    return;
  }
  world.opened += 1;
  const since = new Date(searchParams.get('sinceTime') ?? 0);
  response.writeHead(200, { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' });
  response.flushHeaders();
  for (const { at, line } of log.lines) if (at >= since) response.write(line);
  if (searchParams.get('follow') !== 'true' || log.over) {
    response.end();
    return;
  }
  log.followers.add(response);
  response.on('close', () => log.followers.delete(response));
}

/** `/exec/<namespace>/<pod>/<container>?command=…`, over a WebSocket. */
function serveExec(world: KubeletWorld, request: IncomingMessage, socket: Duplex): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://x');
  const [, , , pod = ''] = pathname.split('/');
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.write(
    [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      'Sec-WebSocket-Protocol: v4.channel.k8s.io',
      '',
      '',
    ].join('\r\n'),
  );
  socket.on('error', () => undefined);
  const folder = world.mounts.get(pod) ?? '/nowhere';
  const [command = 'false', ...args] = searchParams
    .getAll('command')
    .map((word) => word.replaceAll('/meshscale', folder));
  const breaks = world.breaking > 0;
  if (breaks) world.breaking -= 1;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk: Buffer) => {
    socket.write(frame(1, breaks ? chunk.subarray(0, 100) : chunk));
    if (breaks) socket.destroy();
  });
  child.stderr.on('data', (chunk: Buffer) => socket.write(frame(2, chunk)));
  child.on('close', (code) => {
    socket.write(frame(3, Buffer.from(JSON.stringify(statusOf(code ?? 1)))));
    socket.end(Buffer.from([0x88, 0x02, 0x03, 0xe8]));
  });
}

function statusOf(code: number): object {
  if (code === 0) return { metadata: {}, status: 'Success' };
  const causes = [{ reason: 'ExitCode', message: String(code) }];
  const message = `command terminated with non-zero exit code: exit status ${code}`;
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message,
    details: { causes },
  };
}

/** One binary message from a server, on a channel. */
function frame(channel: number, bytes: Buffer): Buffer {
  const size = bytes.length + 1;
  const head =
    size < 126
      ? Buffer.from([0x82, size])
      : size < 65_536
        ? Buffer.from([0x82, 126, size >> 8, size & 0xff])
        : longHead(size);
  return Buffer.concat([head, Buffer.from([channel]), bytes]);
}

function longHead(size: number): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0x82;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(size), 2);
  return head;
}
