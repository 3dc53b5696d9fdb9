import type { UserError } from '../../model/user-error.js';
import type { Clock } from '../platform/clock.js';
import { checkIdentities } from './check-identities.js';
import { checkMeshCa } from './check-mesh-ca.js';
import { checkPeers } from './check-peers.js';
import { checkPrometheus } from './check-prometheus.js';
import { checkReach } from './check-reach.js';
import { checkVersions } from './check-versions.js';
import type { ConnectedCluster } from './cluster-connection.js';

/** What looking at the clusters gave. */
export interface PreflightReport {
  /** Everything that is wrong, sorted by nothing. */
  readonly problems: readonly UserError[];
  /** What was looked at and is as it should be. */
  readonly good: readonly string[];
  /** What this target does not let us see. */
  readonly unseen: readonly string[];
}

/** A part of a preflight. */
export type PreflightPart = PreflightReport;

/** Looks at everything that a run needs of its clusters, and gives all problems at once. */
export async function preflight(
  clusters: readonly ConnectedCluster[],
  world: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<PreflightReport> {
  const [reach, peers, meshCa, prometheus] = await Promise.all([
    checkReach(clusters, world),
    checkPeers(clusters, world),
    checkMeshCa(clusters, world),
    checkPrometheus(clusters, world),
  ]);
  const about = clusters.map(aboutOf);
  const parts: readonly PreflightPart[] = [
    ...[reach, checkIdentities(about), checkVersions(about), meshCa, peers, prometheus],
  ];
  return {
    problems: parts.flatMap(({ problems }) => problems),
    good: parts.flatMap(({ good }) => good),
    unseen: parts.flatMap(({ unseen }) => unseen),
  };
}

function aboutOf(one: ConnectedCluster) {
  return one.state === 'connected' ? one.connection.cluster : one.cluster;
}
