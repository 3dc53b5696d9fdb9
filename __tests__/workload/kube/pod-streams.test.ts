import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPodStreams, type PodStreams } from '../../../workload/kube/pod-streams.js';
import { systemClock } from '../../../workload/platform/clock.js';

const PLACE = { namespace: 'n', pod: 'p', container: 'c' };
const NEVER = new AbortController().signal;

let server: Server;
let streams: PodStreams;
let upgraded: Duplex[];
let asked: { readonly url: string; readonly token: string }[];
/** What the API server sends of a command; undefined refuses it. */
let frames: readonly Buffer[] | undefined;
let log: readonly string[];
let endsLog: boolean;

beforeEach(async () => {
  asked = [];
  upgraded = [];
  frames = [];
  log = [];
  endsLog = true;
  server = createServer((request, response) => {
    note(request);
    if (request.url?.includes('/exec?') === true) {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 403, reason: 'Forbidden', message: 'no pods/exec' }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain' });
    for (const text of log) response.write(text);
    if (endsLog) response.end();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    note(request);
    if (frames === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    // The server closes the connection when the client has said that it is done.
    socket.on('data', () => void socket.end());
    socket.on('error', () => undefined);
    upgraded.push(socket);
    socket.write(handshake(request));
    for (const frame of frames) socket.write(frame);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credential = { kind: 'token', token: 't' } as const;
  streams = createPodStreams({ server: `http://127.0.0.1:${port}/k8s`, credential }, systemClock);
});
afterEach(async () => {
  await streams.close();
  for (const socket of upgraded) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function note({ url = '', headers }: IncomingMessage): void {
  asked.push({ url, token: headers.authorization ?? '' });
}

function handshake({ headers }: IncomingMessage): string {
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    'Sec-WebSocket-Protocol: v4.channel.k8s.io',
    '\r\n',
  ].join('\r\n');
}

function frame(channel: number, text: string): Buffer {
  const body = Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
  const length = body.length < 126 ? [body.length] : [126, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([0x82, ...length]), body]);
}

const SUCCESS = frame(3, '{"status":"Success"}');
const exec = (limit = 1_000) => streams.exec(PLACE, ['sh', '-c', 'a b'], limit, NEVER);

describe('a command in a pod', () => {
  it('gives its output by channel and its exit code, asked for with our token', async () => {
    frames = [frame(1, 'out'), frame(2, 'err'), frame(1, 'put'), SUCCESS];
    expect(await exec()).toEqual({
      ...{ state: 'ended', code: 0, stderr: 'err' },
      stdout: Buffer.from('output'),
    });
    expect(asked).toEqual([
      {
        url: '/k8s/api/v1/namespaces/n/pods/p/exec?container=c&stdout=true&stderr=true&command=sh&command=-c&command=a+b',
        token: 'Bearer t',
      },
    ]);
  });

  it('gives the exit code of one that failed', async () => {
    const details = { causes: [{ reason: 'ExitCode', message: '7' }] };
    const status = { status: 'Failure', reason: 'NonZeroExitCode', details };
    frames = [frame(3, JSON.stringify(status))];
    expect(await exec()).toMatchObject({ state: 'ended', code: 7 });
  });

  it('is broken when its connection ends before it, or when it says too much', async () => {
    frames = [frame(1, 'out'), Buffer.from([0x88, 0x00])];
    expect(await exec()).toMatchObject({ state: 'broken' });
    frames = [frame(1, 'x'.repeat(100)), SUCCESS];
    expect(await exec(50)).toEqual({
      state: 'broken',
      text: 'the command says more than 50 bytes',
    });
  });

  it('fails with the reason of the API server when that refuses it', async () => {
    frames = undefined;
    expect(await exec()).toEqual({ state: 'refused', text: '403 Forbidden: no pods/exec' });
  });
});

describe('a log of a pod', () => {
  const read = (silence = 5_000) => {
    const got: string[] = [];
    const bytes = (chunk: Uint8Array): void => void got.push(Buffer.from(chunk).toString());
    const ended = streams.log(PLACE, { follow: 'true' }, silence, bytes, NEVER);
    return ended.then((end) => ({ end, text: got.join('') }));
  };

  it('is given as it comes, up to the end that the server makes', async () => {
    log = ['one\n', 'two\n'];
    expect(await read()).toEqual({ end: { state: 'closed' }, text: 'one\ntwo\n' });
    expect(asked[0]).toEqual({
      url: '/k8s/api/v1/namespaces/n/pods/p/log?container=c&follow=true',
      token: 'Bearer t',
    });
  });

  it('ends when nothing comes for too long: a dead connection says nothing either', async () => {
    log = ['one\n'];
    endsLog = false;
    const { end, text } = await read(100);
    expect(end).toMatchObject({ state: 'broken', reason: 'Timeout' });
    expect(text).toBe('one\n');
  });

  it('ends at once when nobody wants it any more', async () => {
    endsLog = false;
    const stop = new AbortController();
    const ended = streams.log(PLACE, {}, 60_000, () => undefined, stop.signal);
    stop.abort();
    expect(await ended).toMatchObject({ state: 'broken', reason: 'Aborted' });
  });
});
