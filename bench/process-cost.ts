import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second for every process. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used. @see proc_pid_stat(5), utime and stime */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before may hold spaces and parentheses; what is behind it does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Memory of a process in MiB, now (`VmRSS`) or at its peak (`VmHWM`). @see proc_pid_status(5) */
export function memoryMibOf(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}
