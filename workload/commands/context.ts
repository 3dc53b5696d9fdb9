import type { ExitWord } from '../../model/exit-codes.js';
import type { Clock } from '../platform/clock.js';
import type { Host } from '../platform/host.js';
import type { Processes } from '../platform/processes.js';
import type { Progress } from '../platform/progress.js';
import type { Random } from '../platform/random.js';

/** Results for programs and people; always stdout. */
export interface Output {
  /** A line of data. */
  data(text: string): void;
  /** The one document of `--json`. */
  json(value: unknown): void;
}

/** All that a command may know of the world. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly random: Random;
  readonly host: Host;
  readonly cwd: string;
  readonly output: Output;
  /** Where talk goes; depends on the terminal and on `--quiet`. */
  progress(): Progress;
  /** True with `--json`. */
  wantsJson(): boolean;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** How this process is to end, when not with `good`. The worst one said wins. */
  exitWith(word: ExitWord): void;
}
