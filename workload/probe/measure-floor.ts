import type { ClusterRole } from '../../model/cluster-identity.js';
import { quantiles, type Quantiles } from '../../model/percentiles.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { EtcdClient } from '../kube/etcd/etcd-client.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import { anchorClock, type AnchoredClock } from './anchored-clock.js';
import { causeText, followKeys } from './follow-keys.js';
import { addressReader, cachedAddress, MESH_KEYS } from './mesh-keys.js';
import { createPlace, type Place } from './place.js';
import type { ProbeCluster } from './probe-plan.js';
import { within } from './within.js';

/** Where and how often the floor is measured. */
export interface FloorRequest {
  readonly cluster: ProbeCluster;
  readonly samples: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One measurement: a line of `probes/probe-floor.jsonl`. */
export interface FloorSample {
  readonly cluster: ClusterRole;
  readonly sample: number;
  readonly t_put_ns: number;
  /** 0: not seen. */
  readonly t_seen_ns: number;
  /** Write sent → told by the watch; null: not within the budget. */
  readonly delta_ms: Milliseconds | null;
  readonly reason?: string | undefined;
}

/** The tool's own share of every propagation time at one cluster. */
export interface FloorResult {
  readonly cluster: ClusterRole;
  readonly samples: readonly FloorSample[];
  /** @default - no sample was seen, see `reason` */
  readonly quantiles?: Quantiles | undefined;
  readonly reason?: string | undefined;
}

/**
 * Writes keys straight into a cluster's cache of its peers and times how soon the same watch as in the
 * probes tells them: no mesh is part of it, only etcd, the connection and this program. The keys are
 * those of a peer that doesn't exist, so nothing else takes notice; they are removed at the end.
 */
export async function measureProbeFloor(request: FloorRequest): Promise<FloorResult> {
  const { cluster, clock, signal } = request;
  const { role, meshEtcd: etcd } = cluster;
  if (etcd === undefined) return noFloor(role, `there is no access to the mesh etcd of ${role}`);
  const place = createPlace(`addresses in the cache of ${role}`);
  const ending = new AbortController();
  const following = followKeys({
    ...{ etcd, place, clock, prefix: MESH_KEYS.cachedAddresses, read: addressReader(POD) },
    signal: AbortSignal.any([signal, ending.signal]),
  });
  try {
    const opened = await within({ clock, budget: OPEN_BUDGET, signal }, place.confirmed);
    if (opened !== 'done') return noFloor(role, `${place.name}: ${place.blindness() ?? opened}`);
    const samples = await takeSamples(request, etcd, place);
    const found = quantiles(samples.flatMap(({ delta_ms }) => delta_ms ?? []));
    const reason = found === undefined ? (samples[0]?.reason ?? 'no sample was taken') : undefined;
    return { cluster: role, samples, quantiles: found, reason };
  } finally {
    await etcd.deletePrefix(`${MESH_KEYS.cachedAddresses}${PEER}/`).catch(() => 0);
    ending.abort();
    await following;
  }
}

async function takeSamples(
  { cluster, samples, clock, signal }: FloorRequest,
  etcd: EtcdClient,
  place: Place,
): Promise<readonly FloorSample[]> {
  const taken: FloorSample[] = [];
  const anchor = anchorClock(clock);
  for (let sample = 1; sample <= samples && !signal.aborted; sample += 1) {
    taken.push(
      await takeSample({ etcd, place, clock, signal, anchor, sample, role: cluster.role }),
    );
    // One at a time with a pause, as probes come: in a row they would share packets.
    await clock.sleep(SPACING, signal).catch(() => undefined);
  }
  return taken;
}

interface SampleTask {
  readonly etcd: EtcdClient;
  readonly place: Place;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly anchor: AnchoredClock;
  readonly sample: number;
  readonly role: ClusterRole;
}

async function takeSample(task: SampleTask): Promise<FloorSample> {
  const { etcd, place, clock, signal, anchor, sample, role } = task;
  const pod = `${POD}${sample}`;
  const subject = cachedAddress(PEER, NAMESPACE, pod);
  const track = place.track(subject);
  const ip = `198.18.${Math.floor(sample / 250) % 250}.${1 + (sample % 250)}`;
  const value = JSON.stringify({ IP: ip, K8sNamespace: NAMESPACE, K8sPodName: pod });
  const putNs = clock.monoNs();
  const refused = etcd.put(`${MESH_KEYS.cachedAddresses}${PEER}/${ip}`, value).then(
    () => undefined,
    (error: unknown) => causeText(error),
  );
  const how = await within({ clock, budget: SAMPLE_BUDGET, signal }, track.whenSeen);
  const seen = track.seen();
  const told = {
    ...{ cluster: role, sample, t_put_ns: anchor.ns(putNs), t_seen_ns: anchor.ns(seen?.atNs) },
    delta_ms: seen === undefined ? null : millisecondsBetween(putNs, seen.atNs),
  };
  place.forget(subject);
  if (seen !== undefined) return told;
  const why = how === 'interrupted' ? 'the run was stopped' : `not seen within ${SAMPLE_BUDGET} ms`;
  return { ...told, reason: (await refused) ?? place.blindness() ?? why };
}

function noFloor(cluster: ClusterRole, reason: string): FloorResult {
  return { cluster, samples: [], reason };
}

/** No cluster has this name: nobody watches its keys but us. */
const PEER = 'meshscale-floor';
const NAMESPACE = 'meshscale';
const POD = 'probe-floor-';

/** Ours, all three. */
const OPEN_BUDGET: Milliseconds = 10_000;
const SAMPLE_BUDGET: Milliseconds = 1_000;
const SPACING: Milliseconds = 5;
