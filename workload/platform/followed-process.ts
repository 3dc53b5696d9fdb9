import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errorCode } from './files.js';

/** A long command whose output is read line by line while it runs. */
export interface FollowedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Every line of both streams, as it comes. Nothing is kept. */
  readonly onLine: (line: string) => void;
}

/** How a followed command ended. */
export type FollowedEnd =
  | { readonly state: 'exited'; readonly code: number }
  | { readonly state: 'signalled'; readonly signal: string };

/** A followed command that runs. */
export interface FollowedProcess {
  readonly pid: number;
  /** Resolves when the process is gone and its last line was given. */
  readonly ended: Promise<FollowedEnd>;
  /** Signals the process and everything that it started. */
  readonly signalGroup: (signal: NodeJS.Signals) => void;
}

/** Starts a command in a process group of its own. `not-found`: there is nothing that could be run. */
export type FollowProcess = (command: FollowedCommand) => Promise<FollowedProcess | 'not-found'>;

/** Starts it on this machine. It ends with us at the latest by the signals that we send. */
export const followProcess: FollowProcess = async ({ command, args, cwd, env, onLine }) => {
  const child = spawn(command, args, {
    cwd,
    env,
    // A group of its own, or the terminal's Ctrl-C would end it before we could say why.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', onLine);
  }
  const ended = new Promise<FollowedEnd>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(
        code === null
          ? { state: 'signalled', signal: signal ?? 'SIGKILL' }
          : { state: 'exited', code },
      );
    });
  });
  const started = await new Promise<'started' | 'not-found'>((resolve, reject) => {
    child.once('spawn', () => {
      resolve('started');
    });
    child.once('error', (error) => {
      if (['ENOENT', 'EACCES', 'ENOEXEC'].includes(errorCode(error) ?? '')) resolve('not-found');
      else reject(error);
    });
  });
  const { pid } = child;
  if (started === 'not-found' || pid === undefined) return 'not-found';
  return {
    pid,
    ended,
    signalGroup: (signal) => {
      signalGroup(pid, signal);
    },
  };
};

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
