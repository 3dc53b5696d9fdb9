import type { Command } from 'commander';
import { decidingExit, type ExitWord } from '../../model/exit-codes.js';
import { systemClock } from '../platform/clock.js';
import { systemHost } from '../platform/host.js';
import { silentProgress, type Progress } from '../platform/progress.js';
import { systemRandom } from '../platform/random.js';
import { systemProcesses } from '../platform/system-processes.js';
import { progressLines } from '../ui/progress-lines.js';
import { progressLive } from '../ui/progress-live.js';
import type { CommandContext } from './context.js';

/** The context of this process, and what only the entry may do with it. */
export interface RunningContext {
  readonly context: CommandContext;
  exitWord(): ExitWord;
  readonly interruptedBy: () => ExitWord;
  talk(text: string): void;
  /** True when `--json` was typed, also in a command line that could not be understood. */
  asksForJson(): boolean;
  readonly stopListening: () => void;
}

/** Connects a command line to the machine: streams, signals, environment. */
export function createContext(program: Command, argv: readonly string[]): RunningContext {
  const words: ExitWord[] = [];
  surviveClosedPipes();
  const interrupt = listenForSignals(words);
  const wantsJson = (): boolean => program.opts()['json'] === true;
  const context: CommandContext = {
    env: process.env,
    clock: systemClock,
    processes: systemProcesses,
    random: systemRandom,
    host: systemHost,
    cwd: process.cwd(),
    output: {
      data: (text) => process.stdout.write(`${text}\n`),
      json: (value) => process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`),
    },
    progress: () => (program.opts()['quiet'] === true ? silentProgress : progressFor()),
    wantsJson,
    signal: interrupt.signal,
    exitWith: (word) => words.push(word),
  };
  return {
    context,
    exitWord: () => decidingExit(words),
    interruptedBy: interrupt.word,
    talk: (text) => process.stderr.write(text),
    asksForJson: () => argv.includes('--json'),
    stopListening: interrupt.stop,
  };
}

/** `meshscale mesh status | head -1`: who reads no further wants no more, and that is no failure. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

function progressFor(): Progress {
  const stream = process.stderr;
  const write = (text: string): void => void stream.write(text);
  if (!stream.isTTY || process.env['CI'] !== undefined) return progressLines(write);
  return progressLive({
    write,
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  });
}

interface Interrupt {
  readonly signal: AbortSignal;
  readonly word: () => ExitWord;
  readonly stop: () => void;
}

/** Whatever was under way: whoever pressed twice may not know what it had made. */
const LEFT_AT_ONCE =
  '\n· left at once: what a run made may still be there, meshscale cleanup --all removes it; ' +
  'a mesh is repaired by meshscale up, ended by meshscale down\n';

/** The first signal asks everybody to stop and clean up; the second leaves at once. */
function listenForSignals(words: ExitWord[]): Interrupt {
  const controller = new AbortController();
  let word: ExitWord = 'interrupted';
  const on = (name: 'SIGINT' | 'SIGTERM', meaning: ExitWord) => (): void => {
    const code = meaning === 'interrupted' ? 130 : 143;
    if (controller.signal.aborted) {
      process.stderr.write(LEFT_AT_ONCE);
      process.exit(code);
    }
    word = meaning;
    words.push(meaning);
    process.stderr.write(`\n· ${name}: stopping and cleaning up; once more leaves at once\n`);
    controller.abort(new Error(`interrupted by ${name}`));
  };
  const sigint = on('SIGINT', 'interrupted');
  const sigterm = on('SIGTERM', 'terminated');
  process.on('SIGINT', sigint).on('SIGTERM', sigterm);
  return {
    signal: controller.signal,
    word: () => word,
    stop: () => void process.off('SIGINT', sigint).off('SIGTERM', sigterm),
  };
}
