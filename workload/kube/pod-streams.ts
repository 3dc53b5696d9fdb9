import { Agent } from 'undici';
import type { Bytes, Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../platform/clock.js';
import { openBytes, type ByteStreamEnd } from './byte-stream.js';
import { connectOptions } from './connection-pools.js';
import { createDeadlines } from './deadlines.js';
import type { KubeAccess } from './kube-client.js';
import { pathWith } from './list-pages.js';
import { runExec, type ExecResult } from './pod-exec.js';

/** One container of a pod. */
export interface ContainerPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** The calls to a pod that are no plain requests: its log as it is written, and commands in it. */
export interface PodStreams {
  /**
   * Reads a log. `follow`: until the container ends. Ends also when nothing comes for `silence`.
   * Never rejects.
   */
  log(
    place: ContainerPlace,
    query: Readonly<Record<string, string>>,
    silence: Milliseconds,
    onBytes: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<ByteStreamEnd>;
  /** Runs a command and gives its output. Never rejects. */
  exec(
    place: ContainerPlace,
    command: readonly string[],
    limit: Bytes,
    signal: AbortSignal,
  ): Promise<ExecResult>;
  /** Breaks what is open. */
  close(): Promise<void>;
}

/** Opens nothing before it is used; each stream has a connection of its own. */
export function createPodStreams(access: KubeAccess, clock: Clock): PodStreams {
  const deadlines = createDeadlines(clock);
  const pool = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: connectOptions(access),
  });
  const { origin, pathname } = new URL(access.server);
  const prefix = pathname.replace(/\/$/, '');
  const { credential } = access;
  const headers = {
    'user-agent': 'meshscale',
    ...(credential.kind === 'token' ? { authorization: `Bearer ${credential.token}` } : {}),
  };
  const get = (
    path: string,
    silence: Milliseconds,
    onBytes: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<ByteStreamEnd> => {
    const options = { origin, path: `${prefix}${path}`, method: 'GET', headers } as const;
    return openBytes({ pool, options, deadlines, silence, onBytes, signal });
  };
  return {
    log: (place, query, silence, onBytes, signal) =>
      get(logPath(place, query), silence, onBytes, signal),
    exec: async (place, command, limit, signal) => {
      const path = execPath(place, command);
      const url = `${origin.replace(/^http/, 'ws')}${prefix}${path}`;
      const result = await runExec({ url, dispatcher: pool, headers, limit, signal });
      if (result.state !== 'refused') return result;
      // A WebSocket does not say why it was refused; the same request without one does.
      const why = await get(path, REASON_TIMEOUT, () => undefined, signal);
      return why.state === 'broken' && why.status !== UPGRADE_REQUIRED
        ? { state: 'refused', text: `${why.status} ${why.reason}: ${why.text}` }
        : result;
    },
    close: () => pool.destroy(),
  };
}

/** The path of a log, also for a plain request. */
export function logPath(place: ContainerPlace, query: Readonly<Record<string, string>>): string {
  return pathWith(`${podPath(place)}/log`, { container: place.container, ...query });
}

function execPath(place: ContainerPlace, command: readonly string[]): string {
  const query = new URLSearchParams({ container: place.container, stdout: 'true', stderr: 'true' });
  for (const word of command) query.append('command', word);
  return `${podPath(place)}/exec?${query.toString()}`;
}

function podPath({ namespace, pod }: ContainerPlace): string {
  return `/api/v1/namespaces/${namespace}/pods/${pod}`;
}

/** An API server that would have let us says so to who asks without an upgrade. */
const UPGRADE_REQUIRED = 400;
const REASON_TIMEOUT: Milliseconds = 10_000;
