import { setMaxListeners } from 'node:events';
import type { ClusterRole } from '../../model/cluster-identity.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { EtcdClient } from '../kube/etcd/etcd-client.js';
import type { KubeClient } from '../kube/kube-client.js';

/** What the peers watch for: the address of a pod, or the backend of its Service. */
export type ProbeKind = 'service-backend' | 'endpoint-address';

/**
 * What is changed. `pod`: a pod starts (behind a Service of its own when backends are observed) and
 * goes again. `endpoint-slice`: a Service without selector gets an EndpointSlice that we write
 * ourselves, so no pod start is part of the time; it shows backends only.
 */
export type ProbeStimulus = 'pod' | 'endpoint-slice';

/** A cluster that takes part: as source in its turn, as peer in all others'. */
export interface ProbeCluster {
  readonly role: ClusterRole;
  /** The name by which its keys stand in the peers' caches. */
  readonly ciliumName: string;
  readonly kube: KubeClient;
  /** Its mesh etcd: own exports and the cache of every peer. @default - nobody can look into it */
  readonly meshEtcd?: EtcdClient | undefined;
  /** Aborts when the cluster has left the run: nobody waits for it any more. @default - it stays */
  readonly gone?: AbortSignal | undefined;
}

/** One series of probes. */
export interface ProbePlan {
  /** What is observed; with both, one pod shows both. */
  readonly kind: ProbeKind | readonly ProbeKind[];
  /** Probes in all; sources take turns, and every other cluster is a peer. */
  readonly count: number;
  /** From the start of one probe to the start of the next, whether that one is done or not. */
  readonly intervalMs: Milliseconds;
  /** How long the change is waited for, and then as long again for its removal. */
  readonly budgetMs: Milliseconds;
  /** Tells series apart that share a namespace; part of every object's name. @default 'series' */
  readonly id?: string;
  /** @default 'pod' */
  readonly stimulus?: ProbeStimulus;
}

/** The signal of what is done with one cluster: ends with it, or with everything. */
export function whileThere({ gone }: Pick<ProbeCluster, 'gone'>, signal: AbortSignal): AbortSignal {
  if (gone === undefined) return signal;
  const both = AbortSignal.any([signal, gone]);
  // Each request and wait listens; Node takes more than ten for a leak.
  setMaxListeners(0, both);
  return both;
}

/** False once a cluster has left the run. */
export function isThere({ gone }: Pick<ProbeCluster, 'gone'>): boolean {
  return gone?.aborted !== true;
}

/** The kinds that a plan observes. */
export function kindsOf({ kind }: ProbePlan): readonly ProbeKind[] {
  return typeof kind === 'string' ? [kind] : kind;
}
