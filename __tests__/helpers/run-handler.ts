import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How the handler ended. */
export interface HandlerEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const ENTRY = fileURLToPath(new URL('../../scripts/build-handler.js', import.meta.url));

/** Bundles the handler as the package does, into `file`. */
export async function buildHandler(file: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    spawn(process.execPath, [ENTRY, file], { stdio: 'inherit' }).once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`build-handler ended with ${String(code)}`));
    });
  });
}

/** Runs the bundle under plain node, with nothing in its environment but `env`. */
export function runHandler(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): { readonly child: ChildProcess; readonly ended: Promise<HandlerEnd> } {
  const child = spawn(process.execPath, [file, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text.stderr += part));
  const ended = new Promise<HandlerEnd>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, ...text });
    });
  });
  return { child, ended };
}
