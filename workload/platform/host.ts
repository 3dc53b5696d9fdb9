import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import type { Bytes } from '../../model/quantity.js';
import { errorCode } from './files.js';

/** The machine that we run on, as a port. */
export interface Host {
  readonly cores: number;
  /** Programs that ran or waited for a core or disk, the average of the last minute. */
  loadAverage(): number;
  totalMemory(): Bytes;
  /** What programs can still take without swapping. */
  availableMemory(): Bytes;
  /** What an unprivileged process can still write at `path`. */
  freeDisk(path: string): Promise<Bytes>;
}

/** The machine itself. */
export const systemHost: Host = {
  cores: availableParallelism(),
  loadAverage: () => loadavg()[0] ?? 0,
  totalMemory: () => totalmem(),
  availableMemory: () => linuxAvailableMemory() ?? freemem(),
  freeDisk: async (path) => {
    const facts = await statfs(path);
    return facts.bavail * facts.bsize;
  },
};

/** `MemAvailable` counts the cache that the kernel would give back; `freemem` does not. */
function linuxAvailableMemory(): Bytes | undefined {
  try {
    const line = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'));
    return line?.[1] === undefined ? undefined : Number(line[1]) * 1024;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
