import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { errorCode } from './files.js';

/** What the process table says of one process. */
export interface ProcessFacts {
  readonly startTime: string;
  readonly stopped: boolean;
  /** Ended to its last thread, and nobody has asked how: it holds nothing any more. */
  readonly zombie: boolean;
  /** Process number of the leader of its group. */
  readonly group: number;
}

/** Facts of process `pid`, or undefined when there is none. */
export function processFacts(pid: number): ProcessFacts | undefined {
  return existsSync('/proc/self/stat') ? factsFromProc(pid) : factsFromPs(pid);
}

/** One environment variable of process `pid`; undefined without it, or when we may not look. */
export function environmentValue(pid: number, name: string): string | undefined {
  const entry = readProc(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((line) => line.startsWith(`${name}=`));
  return entry?.slice(name.length + 1);
}

/**
 * Reads /proc/<pid>/stat. The command name may hold spaces and brackets, so fields are counted after
 * the last `)`: state is field 3, group field 5, threads field 20, start time (clock ticks since boot)
 * field 22.
 *
 * Of a killed process the first thread often shows as a zombie some milliseconds before the others have
 * ended, and until then its files and ports are still open: it counts as ended with its last thread.
 * @see proc(5)
 */
export function factsFromStat(stat: string): ProcessFacts | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return undefined;
  return {
    startTime,
    stopped: state === 'T' || state === 't',
    zombie: 'ZXx'.includes(state) && Number(fields[17]) <= 1,
    group: Number(fields[2]),
  };
}

function factsFromProc(pid: number): ProcessFacts | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : factsFromStat(stat);
}

function factsFromPs(pid: number): ProcessFacts | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,pgid=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [state = '', group = '', ...start] = line.split(/\s+/);
    return {
      startTime: start.join(' '),
      stopped: state.startsWith('T'),
      zombie: state.startsWith('Z'),
      group: Number(group),
    };
  } catch {
    // ps ends with 1 when there is no such process.
    return undefined;
  }
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
