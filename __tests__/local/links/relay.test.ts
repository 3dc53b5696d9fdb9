import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRelay, type Relay } from '../../../local/links/relay.js';
import type { MeshLink } from '../../../local/state/link-file.js';
import { createVirtualDelays, type VirtualDelays } from '../../helpers/virtual-delays.js';
import { freePorts } from '../../helpers/real-etcd.js';

let source: Server;
let sourcePort: number;
let listenPort: number;
let relay: Relay;
let delays: VirtualDelays;
let atSource: Socket[] = [];
beforeEach(async () => {
  atSource = [];
  source = createServer({ allowHalfOpen: true }, (socket) => {
    atSource.push(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  sourcePort = (source.address() as AddressInfo).port;
  [listenPort = 0] = await freePorts(1);
  delays = createVirtualDelays();
  relay = createRelay(delays);
});
afterEach(async () => {
  await relay.close();
  for (const socket of atSource) socket.destroy();
  await new Promise((resolve) => source.close(resolve));
});

const link = (changes: Partial<MeshLink> = {}): MeshLink => ({
  source: 'mesh-001',
  reader: 'mesh-002',
  listen: `127.0.0.1:${listenPort}`,
  target: `127.0.0.1:${sourcePort}`,
  ...changes,
});
const counters = () => relay.counters().get('mesh-001--mesh-002');

/** A reader's connection; remembers what came and how it ended. */
const dial = async () => {
  const socket = connect({ host: '127.0.0.1', port: listenPort, allowHalfOpen: true });
  // A half-open socket that was shut from the other side is gone for us, though not closed by us.
  const seen = { text: '', gone: false };
  socket.on('data', (bytes: Buffer) => (seen.text += bytes.toString()));
  socket.on('end', () => (seen.gone = true));
  socket.on('close', () => (seen.gone = true));
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return { socket, seen };
};
const until = async (condition: () => boolean): Promise<void> => {
  for (let turn = 0; !condition(); turn += 1) {
    if (turn === 20_000) throw new Error('it did not come to that');
    await new Promise((resolve) => setImmediate(resolve));
  }
};
const echo = (): void => {
  source.on('connection', (socket) => socket.pipe(socket));
};

describe('the relay', () => {
  it('carries bytes both ways and counts them', async () => {
    echo();
    await relay.apply([link()]);
    const { socket, seen } = await dial();
    socket.write('hello');
    await until(() => seen.text === 'hello');
    expect(counters()).toEqual({ connections: 1, bytesToSource: 5, bytesToReader: 5, refused: 0 });
    socket.destroy();
  });

  it('lets one side end while the other goes on', async () => {
    source.on('connection', (socket) => {
      socket.on('end', () => socket.end('after your end'));
      socket.resume();
    });
    await relay.apply([link()]);
    const { socket, seen } = await dial();
    socket.end('question');
    await until(() => seen.gone);
    expect(seen.text).toBe('after your end');
  });

  it('delays each direction by what is set, also on a connection that is open already', async () => {
    echo();
    await relay.apply([link()]);
    const { socket, seen } = await dial();
    socket.write('a');
    await until(() => seen.text === 'a');
    await relay.apply([link({ delayMs: 40 })]);
    socket.write('b');
    await until(() => delays.pending() === 1);
    delays.advance(40);
    await until(() => delays.pending() === 1);
    expect(counters()).toMatchObject({ bytesToSource: 2, bytesToReader: 1 });
    delays.advance(40);
    await until(() => seen.text === 'ab');
    socket.destroy();
  });

  it('holds everything in a pause and loses nothing, while connections stay', async () => {
    echo();
    await relay.apply([link()]);
    const { socket, seen } = await dial();
    await until(() => atSource.length === 1);
    await relay.apply([link({ state: 'paused' })]);
    const text = 'x'.repeat(300_000);
    socket.write(text);
    await settleSockets();
    expect(counters()?.bytesToSource).toBe(0);
    expect(seen.gone).toBe(false);
    await relay.apply([link()]);
    await until(() => seen.text.length === text.length);
    socket.destroy();
  });

  it('closes what is open when a link is cut, refuses what comes, and carries again', async () => {
    echo();
    await relay.apply([link()]);
    const first = await dial();
    await until(() => atSource.length === 1);
    await relay.apply([link({ state: 'cut' })]);
    await until(() => first.seen.gone);
    const second = await dial();
    await until(() => second.seen.gone);
    expect(counters()).toMatchObject({ connections: 1, refused: 1 });
    await relay.apply([link({ state: 'open' })]);
    const third = await dial();
    third.socket.write('again');
    await until(() => third.seen.text === 'again');
    third.socket.destroy();
  });

  it('closes the connection of a reader whose source is gone', async () => {
    await relay.apply([link({ target: `127.0.0.1:${(await freePorts(1))[0] ?? 0}` })]);
    const { seen } = await dial();
    await until(() => seen.gone);
  });

  it('looks gone to the source when the reader is gone, and the other way round', async () => {
    await relay.apply([link()]);
    const first = await dial();
    await until(() => atSource.length === 1);
    let gone = false;
    atSource[0]
      ?.on('end', () => (gone = true))
      .on('close', () => (gone = true))
      .resume();
    first.socket.resetAndDestroy();
    await until(() => gone);
    const second = await dial();
    await until(() => atSource.length === 2);
    atSource[1]?.resetAndDestroy();
    await until(() => second.seen.gone);
  });

  it('leaves connections of unchanged links alone and stops listening for removed ones', async () => {
    echo();
    const [otherPort = 0] = await freePorts(1);
    const other = { ...link(), reader: 'mesh-003', listen: `127.0.0.1:${otherPort}` };
    await relay.apply([link(), other]);
    const { socket, seen } = await dial();
    await relay.apply([link()]);
    socket.write('still here');
    await until(() => seen.text === 'still here');
    expect([...relay.counters().keys()]).toEqual(['mesh-001--mesh-002']);
    socket.destroy();
  });

  it('fails when the address of a link is taken, and carries it once that is free', async () => {
    const squatter = createServer().listen(listenPort, '127.0.0.1');
    await until(() => squatter.listening);
    await expect(relay.apply([link()])).rejects.toThrow('EADDRINUSE');
    await new Promise((resolve) => squatter.close(resolve));
    await expect(relay.apply([link()])).resolves.toBeUndefined();
  });
});

/** Loopback sockets need a few turns of the event loop. */
async function settleSockets(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
