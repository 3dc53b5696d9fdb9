import type { ExitWord } from '../../model/exit-codes.js';
import type { CommandContext } from '../../workload/commands/context.js';
import { systemClock } from '../../workload/platform/clock.js';
import { systemHost } from '../../workload/platform/host.js';
import { systemProcesses } from '../../workload/platform/system-processes.js';
import { seededRandom } from '../../workload/platform/random.js';

/** A command's world, and what it said. */
export interface TestCommand {
  readonly context: CommandContext;
  /** Lines of data. */
  readonly data: string[];
  /** Documents of `--json`. */
  readonly documents: unknown[];
  /** Lines of progress. */
  readonly told: string[];
  readonly exits: ExitWord[];
}

/** The machine, but for streams and environment: a command without starting the program. */
export function testCommand(options: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly json?: boolean;
}): TestCommand {
  const data: string[] = [];
  const documents: unknown[] = [];
  const told: string[] = [];
  const exits: ExitWord[] = [];
  const context: CommandContext = {
    env: options.env,
    clock: systemClock,
    processes: systemProcesses,
    random: seededRandom(1),
    host: systemHost,
    cwd: options.cwd ?? process.cwd(),
    output: {
      data: (text) => void data.push(text),
      json: (value) => void documents.push(value),
    },
    progress: () => ({ report: ({ subject, text }) => void told.push(`${subject}: ${text}`) }),
    wantsJson: () => options.json ?? false,
    signal: new AbortController().signal,
    exitWith: (word) => void exits.push(word),
  };
  return { context, data, documents, told, exits };
}
