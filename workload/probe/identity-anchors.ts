import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../platform/clock.js';
import type { ProbeWatches } from './open-watches.js';
import { namePrefix, probePod, type ObjectStyle } from './probe-objects.js';
import { whileThere, type ProbeCluster } from './probe-plan.js';
import { within } from './within.js';

/** The clusters that get an anchor. */
export interface AnchorRequest {
  readonly clusters: readonly ProbeCluster[];
  readonly watches: ProbeWatches;
  readonly style: ObjectStyle;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Puts one pod into every cluster that stays for the whole series and has the labels of all its pods:
 * their security identity is then made and kept, as that of a Deployment is, and the first probe does
 * not pay for it. It is removed with the series.
 */
export async function standAnchors(request: AnchorRequest): Promise<void> {
  await Promise.all(request.clusters.map((cluster) => standAnchor(request, cluster)));
}

async function standAnchor(
  { watches, style, clock, signal: until }: AnchorRequest,
  cluster: ProbeCluster,
): Promise<void> {
  const { role, kube } = cluster;
  const signal = whileThere(cluster, until);
  const name = `${namePrefix(style)}anchor`;
  const { pods, ciliumEndpoints } = watches.source(role);
  const place = ciliumEndpoints.closed() ? pods : ciliumEndpoints;
  const track = place.track(name);
  const { collection, body } = probePod(style, name);
  // A refusal is told by the probes, which meet the same one.
  const answer = await kube.request('POST', collection, body, { signal });
  if (answer.ok) await within({ clock, budget: ANCHOR_BUDGET, signal }, track.whenSeen);
  place.forget(name);
}

/** Ours: an idle cluster needs 0.1 s; without it only the first probe is slower. */
const ANCHOR_BUDGET: Milliseconds = 5_000;
