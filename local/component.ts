import { createHash } from 'node:crypto';
import type { Milliseconds } from '../model/quantity.js';

/** Every kind of process that a local mesh consists of. */
export type ComponentName =
  | 'etcd'
  | 'mesh-etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'
  | 'agent-controller'
  | 'clustermesh-apiserver'
  | 'kvstoremesh'
  | 'link-relay'
  | 'prometheus';

/** A configuration file that a component reads when it starts. */
export interface ComponentFile {
  readonly path: string;
  readonly content: string;
}

/** Where a component says that it is ready: an address that answers 200. */
export interface ReadinessProbe {
  readonly url: string;
  /** @default - plain HTTP, or the server's certificate is not asked for */
  readonly tls?: { readonly caPem: string; readonly certPem: string; readonly keyPem: string };
  /** How often it is asked. @default 50 ms: small against start times of 0.1–1 s */
  readonly period?: Milliseconds;
}

/** One process of the mesh, as it should run. */
export interface Component {
  /** `mesh-001`, or `mesh` for what all clusters share. */
  readonly role: string;
  readonly name: ComponentName;
  /** Absolute path of the executable. */
  readonly program: string;
  readonly args: readonly string[];
  /** Set beside what every child is given. @default - nothing */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly logFile: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly files: readonly ComponentFile[];
  readonly probe: ReadinessProbe;
  /** How long it may take from start to ready. */
  readonly readyBudget: Milliseconds;
}

/**
 * Budget for one component on a machine that is busy with five clusters and a Go build: by hand the
 * slowest (kube-apiserver) took 7 s then. Chosen with a wide margin; a crash is noticed at once.
 */
export const READY_BUDGET: Milliseconds = 90_000;

/** A hash of all that a running process was started with: when it differs, the process is outdated. */
export function fingerprint(component: Component): string {
  const { program, args, env, files } = component;
  return createHash('sha256').update(JSON.stringify({ program, args, env, files })).digest('hex');
}
