import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { directedPairs, pairName } from '../model/cluster-identity.js';
import { PRIVATE_FILE, readIfThere, writeAtomic } from '../workload/platform/files.js';
import type { ClusterFacts, Programs } from './cluster-facts.js';
import { peerFile, kvstoremesh } from './components/clustermesh.js';
import { linkRelay } from './components/shared-components.js';
import { apiRefused } from './errors.js';
import { portsInUse } from './exit-error.js';
import { forgetStrangers } from './forget-strangers.js';
import { linkFile, type MeshLink } from './state/link-file.js';
import type { MeshPorts } from './state/mesh-file.js';
import { MESH_ROLE, type MeshPaths } from './state/paths.js';
import { portOf } from './state/port-plan.js';
import { ensureRunning, type Supervision } from './supervise.js';
import { together } from './together.js';

/** What connects the clusters. */
export interface ConnectRequest {
  readonly mesh: MeshPaths;
  readonly ports: MeshPorts;
  readonly programs: Programs;
  readonly clusters: readonly ClusterFacts[];
}

/**
 * Gives every directed pair its link, and every kvstoremesh the file of each peer: links first, so
 * that what a kvstoremesh dials is always there. Settings of links that exist are kept.
 */
export async function connectClusters(given: ConnectRequest, by: Supervision): Promise<void> {
  by.progress.report({ subject: MESH_ROLE, state: 'running', text: 'links and kvstoremesh …' });
  const file = linkFile(given.mesh.linkFile);
  await file.write({ links: planLinks(given, (await file.read())?.links ?? []) });
  await ensureRunning(linkRelay(given.mesh, given.ports, given.programs), by);
  await carryLinks(given.ports, by);
  await together(
    by.signal,
    given.clusters.map((cluster) => async (signal: AbortSignal) => {
      await writePeers(cluster, given);
      await forgetStrangers(cluster, given.clusters, signal);
      await ensureRunning(kvstoremesh(cluster), { ...by, signal });
    }),
  );
}

async function carryLinks(ports: MeshPorts, by: Supervision): Promise<void> {
  const failure = await reloadRelay(portOf(ports, MESH_ROLE, 'relay'), by.signal);
  if (failure === undefined) return;
  const ours = Object.values(ports[MESH_ROLE] ?? {});
  for (const port of portsInUse(failure, ours)) by.attempt.takenPorts.add(port);
  throw apiRefused(MESH_ROLE, 'carry its links', failure);
}

/** Tells the relay to carry what links.json says now; gives the reason when it cannot. */
export async function reloadRelay(port: number, signal: AbortSignal): Promise<string | undefined> {
  const answer = await request(`http://127.0.0.1:${port}/reload`, { method: 'POST', signal });
  const text = await answer.body.text();
  return answer.statusCode === 200 ? undefined : text.trim();
}

function planLinks(given: ConnectRequest, known: readonly MeshLink[]): MeshLink[] {
  const roles = given.clusters.map(({ role }) => role);
  return directedPairs(roles).map((pair) => {
    const old = known.find((link) => pairName(link) === pairName(pair));
    return {
      ...old,
      ...pair,
      listen: `127.0.0.1:${portOf(given.ports, MESH_ROLE, pairName(pair))}`,
      target: `127.0.0.1:${portOf(given.ports, pair.source, 'mesh-etcd-client')}`,
    };
  });
}

/** Exactly the peers of now: a file that goes makes kvstoremesh drop what it cached of that peer. */
async function writePeers(reader: ClusterFacts, given: ConnectRequest): Promise<void> {
  const files = given.clusters
    .filter(({ role }) => role !== reader.role)
    .map(({ role: source }) =>
      peerFile(
        reader,
        source,
        `127.0.0.1:${portOf(given.ports, MESH_ROLE, pairName({ source, reader: reader.role }))}`,
      ),
    );
  for (const { path, content } of files) {
    if ((await readIfThere(path)) !== content) await writeAtomic(path, content, PRIVATE_FILE);
  }
  const wanted = new Set(files.map(({ path }) => path));
  for (const name of await readdir(reader.paths.peers)) {
    const path = join(reader.paths.peers, name);
    if (!wanted.has(path)) await rm(path, { force: true });
  }
}
