import { WebSocket, type Dispatcher } from 'undici';
import type { Bytes } from '../../model/quantity.js';
import { deferred } from './deferred.js';
import { statusBody } from './kube-answer.js';

/** How a command in a container ended. */
export type ExecResult =
  | {
      readonly state: 'ended';
      readonly code: number;
      readonly stdout: Buffer;
      readonly stderr: string;
    }
  /** The connection broke; the command may have run. */
  | { readonly state: 'broken'; readonly text: string }
  /** There was no connection; nothing was run. */
  | { readonly state: 'refused'; readonly text: string };

/** One command to run. */
export interface ExecRequest {
  /** `wss://…/exec?…` */
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** More output than this ends it. */
  readonly limit: Bytes;
  readonly signal: AbortSignal;
}

/**
 * Runs a command in a container over a WebSocket and gives its whole output. It speaks version 4 of
 * the protocol, which every API server since 1.7 hands through to the kubelet unchanged; version 5
 * only adds an end of input, and we send none. Never rejects.
 *
 * @see k8s.io/apimachinery pkg/util/remotecommand/constants.go
 */
export function runExec(request: ExecRequest): Promise<ExecResult> {
  const { url, dispatcher, headers, signal } = request;
  const end = deferred<ExecResult>();
  if (signal.aborted) return Promise.resolve(STOPPED);
  const socket = new WebSocket(url, { protocols: [PROTOCOL], dispatcher, headers });
  socket.binaryType = 'arraybuffer';
  const output = createOutput(request.limit);
  const finish = (result: ExecResult): void => {
    signal.removeEventListener('abort', onAbort);
    end.resolve(result);
    socket.close();
  };
  const onAbort = (): void => {
    finish(STOPPED);
  };
  signal.addEventListener('abort', onAbort);
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    const result = output.take(bytesOf(data));
    if (result !== undefined) finish(result);
  });
  const seen = { open: false };
  socket.addEventListener('open', () => {
    seen.open = true;
  });
  socket.addEventListener('error', () => {
    finish(seen.open ? { state: 'broken', text: 'the connection broke' } : REFUSED);
  });
  socket.addEventListener('close', ({ code }) => {
    finish({
      state: 'broken',
      text: `the connection was closed (${code}) before the command ended`,
    });
  });
  return end.promise;
}

function createOutput(limit: Bytes): { take(message: Buffer): ExecResult | undefined } {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let size: Bytes = 0;
  return {
    take: (message) => {
      const channel = message[0];
      const bytes = message.subarray(1);
      size += bytes.length;
      if (size > limit) {
        return { state: 'broken', text: `the command says more than ${limit} bytes` };
      }
      if (channel === STDOUT) stdout.push(bytes);
      else if (channel === STDERR) stderr.push(bytes);
      else if (channel === STATUS) return resultOf(bytes, Buffer.concat(stdout), stderr);
      return undefined;
    },
  };
}

function resultOf(status: Buffer, stdout: Buffer, errors: readonly Buffer[]): ExecResult {
  const text = status.toString('utf8');
  const stderr = Buffer.concat(errors).toString('utf8');
  const body = bodyOf(text);
  if (typeof body !== 'object' || body === null || !('status' in body)) {
    return { state: 'broken', text };
  }
  if (body.status === 'Success') return { state: 'ended', code: 0, stdout, stderr };
  const { reason, message = text } = statusBody(body);
  const code = Number(EXIT_CODE.exec(text)?.[1] ?? /exit code (\d+)/.exec(message)?.[1]);
  if (reason === 'NonZeroExitCode' && Number.isInteger(code)) {
    return { state: 'ended', code, stdout, stderr };
  }
  return { state: 'broken', text: message };
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function bytesOf(data: unknown): Buffer {
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  return Buffer.from(typeof data === 'string' ? data : '');
}

const PROTOCOL = 'v4.channel.k8s.io';
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
/** `{"reason":"ExitCode","message":"2"}` among the causes. */
const EXIT_CODE = /"reason":"ExitCode","message":"(\d+)"/;
const REFUSED: ExecResult = { state: 'refused', text: 'the connection was refused' };
const STOPPED: ExecResult = { state: 'broken', text: 'the caller stopped waiting' };
