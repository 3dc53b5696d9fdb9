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
  return {
    log: (place, query, silence, onBytes, signal) => {
      const path = `${prefix}${logPath(place, query)}`;
      const options = { origin, path, method: 'GET', headers } as const;
      return openBytes({ pool, options, deadlines, silence, onBytes, signal });
    },
    exec: (place, command, limit, signal) => {
      const path = execPath(place, command);
      const url = `${origin.replace(/^http/, 'ws')}${prefix}${path}`;
      return runExec({ url, dispatcher: pool, headers, limit, signal });
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
