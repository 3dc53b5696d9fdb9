import { MIB, type Bytes } from '../model/quantity.js';
import type { Host } from '../workload/platform/host.js';
import { diskShort, memoryShort } from './errors.js';

/**
 * Resident memory of one cluster with 20 nodes and 200 pods, measured by `bench/local-mesh`
 * (docs/results); all components together, rounded up.
 */
const MEMORY_PER_CLUSTER: Bytes = 1_100 * MIB;
/** Prometheus, the link relay and ourselves. */
const MEMORY_SHARED: Bytes = 400 * MIB;
/** etcd data, logs and metrics of one cluster over a day of scenarios; chosen. */
const DISK_PER_CLUSTER: Bytes = 500 * MIB;

/** Refuses, with the arithmetic, when `additional` clusters do not fit into memory and disk. */
export async function checkCapacity(
  additional: number,
  stateDir: string,
  host: Host,
): Promise<void> {
  if (additional <= 0) return;
  const available = host.availableMemory();
  if (additional * MEMORY_PER_CLUSTER + MEMORY_SHARED > available) {
    const fitting = Math.max(0, Math.floor((available - MEMORY_SHARED) / MEMORY_PER_CLUSTER));
    throw memoryShort({
      clusters: additional,
      perCluster: MEMORY_PER_CLUSTER,
      shared: MEMORY_SHARED,
      available,
      fitting,
    });
  }
  const free = await host.freeDisk(stateDir);
  const needed = additional * DISK_PER_CLUSTER;
  if (free < needed) throw diskShort(stateDir, needed, free);
}
