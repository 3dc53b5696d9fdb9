import { systemClock } from '../../workload/platform/clock.js';

/** Writes lines as klog does, to standard error. */
export interface Klog {
  readonly info: (text: string) => void;
  readonly warning: (text: string) => void;
  readonly error: (text: string) => void;
}

/** The log of this process; information only when it is verbose. */
export function createKlog(verbose: boolean): Klog {
  const line = (level: string, text: string): void => {
    const at = new Date(systemClock.now()).toISOString();
    const head = `${level}${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 23)}000`;
    process.stderr.write(`${head} ${String(process.pid).padStart(7)} fake.go:1] ${text}\n`);
  };
  return {
    info: (text) => {
      if (verbose) line('I', text);
    },
    warning: (text) => {
      line('W', text);
    },
    error: (text) => {
      line('E', text);
    },
  };
}

/** Ends the process as a fatal line does. */
export function exitFatal(text: string): never {
  const at = new Date(systemClock.now()).toISOString();
  const head = `F${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 23)}000`;
  process.stderr.write(`${head} ${String(process.pid).padStart(7)} fake.go:1] ${text}\n`);
  process.exit(1);
}
