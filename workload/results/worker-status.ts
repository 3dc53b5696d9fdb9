import { parseLenientJson } from './lenient-json.js';

/** How the process that ran an engine on one cluster says that it ended. */
export interface WorkerStatus {
  readonly exitCode: number | null;
  /** What is wrong, in words; undefined: nothing. */
  readonly problem?: string | undefined;
}

/** True for the file that other runners leave beside an engine's report. */
export function isWorkerStatus(name: string): boolean {
  return /^worker-status-.+\.json$/.test(name);
}

/** Reads such a file: `{role, exit_code, workload_valid, telemetry_valid}`. @see data/results-schema.md §6 */
export function readWorkerStatus(text: string): WorkerStatus {
  const json = parseLenientJson(text);
  if (!json.ok) return { exitCode: null, problem: `its status is ${json.reason}` };
  const fields = new Map<string, unknown>(
    typeof json.value === 'object' && json.value !== null ? Object.entries(json.value) : [],
  );
  const code = fields.get('exit_code');
  const exitCode = typeof code === 'number' ? code : null;
  if (exitCode !== null && exitCode !== 0) {
    return { exitCode, problem: `the runner ended with exit code ${exitCode}` };
  }
  const invalid = fields.get('workload_valid') === false;
  return invalid ? { exitCode, problem: 'the runner calls the workload invalid' } : { exitCode };
}
