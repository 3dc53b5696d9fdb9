import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A running engine. */
export interface EngineProcess {
  readonly pid: number;
  /** Its output. */
  readonly log: string;
  /** SIGKILL, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a real binary with its output in `folder`. It ends with the test process at the latest. */
export async function startEngine(
  binary: string,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<EngineProcess> {
  const log = join(folder, `${basename(binary)}.log`);
  const output = openSync(log, 'a');
  const child = spawn(binary, args, { cwd: folder, stdio: ['ignore', output, output], env });
  closeSync(output);
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const killAtExit = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', killAtExit);
  return {
    pid: child.pid ?? 0,
    log,
    kill: async () => {
      process.removeListener('exit', killAtExit);
      child.kill('SIGKILL');
      await ended;
    },
  };
}
