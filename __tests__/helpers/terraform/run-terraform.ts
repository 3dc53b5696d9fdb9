import { spawn, type ChildProcess } from 'node:child_process';

/** How a Terraform command ended. */
export interface TerraformResult {
  /** Exit code, or 128 + the number of the signal. */
  readonly code: number;
  /** Everything it printed, without colours. */
  readonly text: string;
}

/** Where and with what Terraform runs. */
export interface TerraformPlace {
  readonly program: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A Terraform command that is running, so that a test can interrupt or kill it. */
export interface RunningTerraform {
  readonly child: ChildProcess;
  readonly result: Promise<TerraformResult>;
}

/** Starts a command; nothing waits for input. Its own process group, as in a terminal. */
export function startTerraform(
  place: TerraformPlace,
  args: readonly string[],
  stdin = '',
): RunningTerraform {
  const child = spawn(place.program, args, {
    cwd: place.folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...QUIET, ...place.environment },
  });
  child.stdin.end(stdin);
  let text = '';
  const keep = (chunk: Buffer) => {
    text += chunk.toString('utf8');
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const result = new Promise<TerraformResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code: code ?? 128, text });
    });
  });
  return { child, result };
}

/** Runs a command to its end. */
export async function runTerraform(
  place: TerraformPlace,
  args: readonly string[],
  stdin = '',
): Promise<TerraformResult> {
  return startTerraform(place, args, stdin).result;
}

const QUIET = {
  CHECKPOINT_DISABLE: '1',
  TF_IN_AUTOMATION: '1',
  TF_CLI_ARGS: '-no-color',
  NO_COLOR: '1',
};
