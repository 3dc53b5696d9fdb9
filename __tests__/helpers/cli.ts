import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program as its users start it. */
export const CLI = fileURLToPath(new URL('../../bin/meshscale.js', import.meta.url));

/** How a command line ended. `code` is null when a signal ended it. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that runs. */
export interface RunningCli {
  readonly child: ChildProcess;
  readonly ended: Promise<CliResult>;
  /** What it has said so far, on both streams. */
  text(): string;
}

/** Settings of a command line. */
export interface CliOptions {
  /** Added to this process' own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs `meshscale ARGS` to its end. */
export function cli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).ended;
}

/** Runs `meshscale ARGS --json` and parses its one document. */
export async function cliJson(args: readonly string[], options: CliOptions = {}): Promise<unknown> {
  return JSON.parse((await cli([...args, '--json'], options)).stdout);
}

/** Starts `meshscale ARGS` as a child process. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const streams = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (streams.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (streams.stderr += text));
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, ...streams });
    });
  });
  return { child, ended, text: () => streams.stdout + streams.stderr };
}
