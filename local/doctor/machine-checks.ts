import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bytesText, GIB, MIB, type Bytes } from '../../model/quantity.js';
import type { Host } from '../../workload/platform/host.js';
import { findFreePorts } from '../../workload/platform/ports.js';
import type { Random } from '../../workload/platform/random.js';
import { portsNeeded } from '../state/port-plan.js';
import { judged, type DoctorCheck } from './doctor-check.js';

/**
 * Two clusters of 20 nodes took 650 MiB each, exporter and kvstoremesh 150 MiB each, Prometheus and
 * ourselves the rest.
 */
const MEMORY_TO_RUN: Bytes = 2 * GIB;
/** The largest link step of a build was 2.0 GB; the machine as a whole stayed below 4 GB. */
const MEMORY_TO_BUILD: Bytes = 4 * GIB;

/** Memory for the smallest mesh, and for building the engines while they are not there. */
export function checkMemory(host: Host, allEnginesThere: boolean): DoctorCheck {
  const needed = allEnginesThere ? MEMORY_TO_RUN : MEMORY_TO_BUILD;
  const available = host.availableMemory();
  const parts = {
    name: 'memory',
    found: `${bytesText(available)} available of ${bytesText(host.totalMemory())}`,
    needed: `${bytesText(MEMORY_TO_RUN)} for two clusters, ${bytesText(MEMORY_TO_BUILD)} to build engines`,
    remedy: 'end other programs, or use a larger machine',
  };
  return judged(available >= needed, available >= MEMORY_TO_RUN ? 'warn' : 'missing', parts);
}

const DISK = {
  /** Go's caches as they were seen, and the engines themselves. */
  built: { bytes: 7 * GIB, why: 'to build engines from empty Go caches' },
  kept: { bytes: 100 * MIB, why: 'all engines are there' },
  /** etcd of 3.6 keeps 64 MB logs from the start, one for each store; logs besides. */
  mesh: { bytes: GIB, why: 'for the state of two clusters' },
} as const satisfies Readonly<Record<string, { readonly bytes: Bytes; readonly why: string }>>;

/** Whether a folder of ours can be written and has room. */
export async function checkDisk(
  name: string,
  folder: string,
  use: keyof typeof DISK,
  host: Host,
): Promise<DoctorCheck> {
  const { bytes, why } = DISK[use];
  const existing = await nearestExisting(folder);
  const free = await host.freeDisk(existing);
  const writable = await isWritableFolder(existing);
  return judged(writable && free >= bytes, 'missing', {
    name,
    found: writable ? `${bytesText(free)} free at ${folder}` : `${existing} cannot be written`,
    needed: `${bytesText(bytes)} ${why}`,
    remedy: 'make room, or move the folders: MESHSCALE_CACHE, MESHSCALE_HOME, GOCACHE, GOMODCACHE',
  });
}

/** What a mesh of the default size takes. */
const PORTS = portsNeeded(2);

/** Free ports on loopback in the range that we look in. */
export async function checkPorts(random: Random): Promise<DoctorCheck> {
  const result = await findFreePorts(PORTS, random);
  return judged(result.state === 'found', 'missing', {
    name: 'ports',
    found: result.state === 'found' ? `${PORTS} free` : `only ${result.found} free`,
    needed: `${PORTS} free ports on 127.0.0.1 between 20000 and 32000`,
    remedy: 'end what listens there',
  });
}

/** Only delays between local clusters need root. */
export function checkRights(userId: number | undefined): DoctorCheck {
  return judged(userId === 0, 'warn', {
    name: 'rights',
    found: userId === undefined ? 'unknown' : userId === 0 ? 'root' : `user ${userId}`,
    needed: 'any user for the local mesh; root only to emulate delay in the kernel',
    remedy: 'run `meshscale latency` as root when you need it',
  });
}

async function nearestExisting(folder: string): Promise<string> {
  const there = await stat(folder).then(
    () => true,
    () => false,
  );
  return there || folder === dirname(folder) ? folder : nearestExisting(dirname(folder));
}

async function isWritableFolder(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return (await stat(folder)).isDirectory();
  } catch {
    return false; // that it is not is the answer; the check tells which folder
  }
}
