import { connect, createServer, type Server, type Socket } from 'node:net';
import type { MeshLink } from '../state/link-file.js';
import { delayedPipe, type DelaySource } from './delayed-pipe.js';

/** What the relay knows of one link. */
export interface LinkCounters {
  connections: number;
  bytesToSource: number;
  bytesToReader: number;
  refused: number;
}

/** Carries every directed link over TCP: a listening address per link, a dialled target each. */
export interface Relay {
  /** Makes the relay carry exactly these links. Connections of unchanged links go on. */
  apply(links: readonly MeshLink[]): Promise<void>;
  counters(): ReadonlyMap<string, LinkCounters>;
  close(): Promise<void>;
}

interface RunningLink {
  link: MeshLink;
  readonly server: Server;
  readonly sockets: Set<Socket>;
  readonly counters: LinkCounters;
  readonly resume: Set<() => void>;
}

/** Starts an empty relay. */
export function createRelay(delays: DelaySource): Relay {
  const running = new Map<string, RunningLink>();
  return {
    apply: async (links) => {
      const wanted = new Map(links.map((link) => [keyOf(link), link]));
      for (const [key, one] of running) {
        if (!wanted.has(key)) {
          running.delete(key);
          await stop(one);
        }
      }
      for (const [key, link] of wanted) {
        const one = running.get(key) ?? (await start(link, delays));
        running.set(key, one);
        update(one, link);
      }
    },
    counters: () => new Map([...running].map(([, one]) => [nameOf(one.link), one.counters])),
    close: async () => {
      await Promise.all([...running.values()].map(stop));
      running.clear();
    },
  };
}

/** A link is another one when an end of it moved; delay and state change while it runs. */
function keyOf(link: MeshLink): string {
  return `${nameOf(link)} ${link.listen} ${link.target}`;
}

function nameOf(link: MeshLink): string {
  return `${link.source}--${link.reader}`;
}

async function start(link: MeshLink, delays: DelaySource): Promise<RunningLink> {
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  const one: RunningLink = {
    link,
    server,
    sockets: new Set(),
    counters: { connections: 0, bytesToSource: 0, bytesToReader: 0, refused: 0 },
    resume: new Set(),
  };
  server.on('connection', (reader) => {
    accept(one, reader, delays);
  });
  const { host, port } = address(link.listen);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return one;
}

function accept(one: RunningLink, reader: Socket, delays: DelaySource): void {
  if (one.link.state === 'cut') {
    one.counters.refused += 1;
    reader.destroy();
    return;
  }
  one.counters.connections += 1;
  const source = connect({ ...address(one.link.target), noDelay: true, allowHalfOpen: true });
  const path = {
    delays,
    delay: () => one.link.delayMs ?? 0,
    paused: () => one.link.state === 'paused',
    onResume: one.resume,
  };
  delayedPipe(reader, source, { ...path, onBytes: (n) => (one.counters.bytesToSource += n) });
  delayedPipe(source, reader, { ...path, onBytes: (n) => (one.counters.bytesToReader += n) });
  for (const [socket, other] of [
    [reader, source],
    [source, reader],
  ] as const) {
    one.sockets.add(socket);
    // One end's trouble is the other end's: a peer that is gone must look gone through the relay.
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      one.sockets.delete(socket);
      if (!socket.readableEnded) other.destroy();
    });
  }
}

function update(one: RunningLink, link: MeshLink): void {
  one.link = link;
  if (link.state === 'cut') for (const socket of one.sockets) socket.destroy();
  if (link.state !== 'paused') for (const resume of [...one.resume]) resume();
}

function stop(one: RunningLink): Promise<void> {
  for (const socket of one.sockets) socket.destroy();
  return new Promise((resolve) => {
    one.server.close(() => {
      resolve();
    });
  });
}

function address(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}
