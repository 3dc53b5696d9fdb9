import { createWriteStream } from 'node:fs';
import type { Clock } from '../platform/clock.js';

/** The log of one attempt: details that nobody wants on the terminal. */
export interface AttemptLog {
  readonly line: (text: string) => void;
  close(): Promise<void>;
}

/** Appends to `file`, which holds neither tokens nor keys: only what we say ourselves goes in. */
export function openAttemptLog(file: string, clock: Clock): AttemptLog {
  const stream = createWriteStream(file, { flags: 'a' });
  // A log that cannot be written is no reason to stop a run; the journal says so of a full disk.
  stream.on('error', () => undefined);
  return {
    line: (text) => {
      stream.write(`${new Date(clock.now()).toISOString()} ${text}\n`);
    },
    close: () =>
      new Promise((resolve) => {
        if (stream.destroyed) resolve();
        else
          stream.end(() => {
            resolve();
          });
      }),
  };
}
