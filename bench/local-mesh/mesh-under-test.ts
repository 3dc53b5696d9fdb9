import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { localKubeAccess, localMeshEtcdAccess } from '../../local/access.js';
import { clusterRoles } from '../../model/cluster-identity.js';
import { createEtcdClient } from '../../workload/kube/etcd/grpc-etcd-client.js';
import type { EtcdClient } from '../../workload/kube/etcd/etcd-client.js';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import type { KubeClient } from '../../workload/kube/kube-client.js';
import { memoryMibOf } from '../process-cost.js';

/** One cluster of the mesh that is measured. */
export interface BenchCluster {
  readonly role: string;
  readonly kube: KubeClient;
  readonly etcd: EtcdClient;
}

/** A process with its resident memory. */
export interface ResidentProcess {
  readonly role: string;
  readonly name: string;
  readonly residentMib: number;
}

/** Runs our own command line and gives the wall time it took, seconds. Throws when it fails. */
export async function runCli(args: readonly string[]): Promise<number> {
  const start = process.hrtime.bigint();
  await promisify(execFile)(process.execPath, ['bin/meshscale.js', ...args, '--quiet']);
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** Opens clients to every cluster. Close them with {@link closeClusters}. */
export async function openClusters(
  stateDir: string,
  count: number,
): Promise<readonly BenchCluster[]> {
  return Promise.all(
    clusterRoles(count).map(async (role) => ({
      role,
      kube: createKubeClient(await localKubeAccess(stateDir, role)),
      etcd: createEtcdClient(await localMeshEtcdAccess(stateDir, role)),
    })),
  );
}

/** Closes every client. */
export async function closeClusters(clusters: readonly BenchCluster[]): Promise<void> {
  for (const { etcd } of clusters) etcd.close();
  await Promise.all(clusters.map(({ kube }) => kube.close()));
}

/** Resident memory of every recorded process now; Linux only. */
export function residentProcesses(stateDir: string): readonly ResidentProcess[] {
  const file = JSON.parse(readFileSync(`${stateDir}/processes.json`, 'utf8')) as {
    processes: readonly { role: string; name: string; pid: number }[];
  };
  return file.processes.map(({ role, name, pid }) => ({
    role,
    name,
    residentMib: memoryMibOf(pid, 'VmRSS'),
  }));
}
