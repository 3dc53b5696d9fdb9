import type {
  RunningTerraform,
  TerraformResult,
} from '../../__tests__/helpers/terraform/run-terraform.js';
import { cpuSecondsOf } from '../process-cost.js';

/** A Terraform command and what it took. */
export interface MeasuredRun extends TerraformResult {
  /** CPU seconds of Terraform's own process, without handlers and the provider. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

/** Looked at so often until it has ended: what it used after the last look is lost. */
const LOOK_MS = 20;

/** Waits for a command and reads its own CPU time on the way: `time` would count the handlers as well. */
export async function measured({ child, result }: RunningTerraform): Promise<MeasuredRun> {
  const start = process.hrtime.bigint();
  const { pid } = child;
  let cpuSeconds = 0;
  const look = setInterval(() => {
    if (pid !== undefined) cpuSeconds = laterOf(cpuSeconds, pid);
  }, LOOK_MS);
  try {
    const ended = await result;
    const wallSeconds = Number(process.hrtime.bigint() - start) / 1e9;
    return { ...ended, cpuSeconds, wallSeconds };
  } finally {
    clearInterval(look);
  }
}

function laterOf(known: number, pid: number): number {
  try {
    return cpuSecondsOf(pid);
  } catch {
    return known; // it has just ended
  }
}
