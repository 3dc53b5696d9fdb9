import { Command, CommanderError } from 'commander';
import { errorText } from '../model/error-text.js';
import { decidingExit, EXIT_CODES, type ExitWord } from '../model/exit-codes.js';
import { userErrorsOf, type UserError } from '../model/user-error.js';
import { registerCommands } from './commands/index.js';
import { programVersion } from './commands/program-version.js';
import { createContext, type RunningContext } from './commands/running-context.js';
import { errorDocument } from './ui/error-document.js';
import { wrongUsage } from './ui/errors.js';

/** Runs the command line `argv` (Node's, with the two leading items) and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = createProgram();
  const running = createContext(program, argv);
  registerCommands(program, running.context);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    running.context.exitWith(
      error instanceof CommanderError
        ? tellUsage(error, commandOf(program, argv), running)
        : tell(error, running),
    );
  } finally {
    running.stopListening();
  }
  process.exitCode = EXIT_CODES[running.exitWord()].code;
}

function createProgram(): Command {
  return (
    new Command('meshscale')
      .description(
        'Builds a mesh of N Kubernetes clusters, loads all of them at once, measures and judges it.',
      )
      .version(programVersion())
      .option('--json', 'one JSON document on stdout')
      .option('--quiet', 'no progress')
      .option('--verbose', 'more detail in errors')
      .option('--no-color', 'no colours')
      .configureHelp({ showGlobalOptions: true })
      // Told in the form of every other error, by tellUsage.
      .configureOutput({ outputError: () => undefined })
      .exitOverride()
  );
}

function tell(error: unknown, running: RunningContext): ExitWord {
  const errors = userErrorsOf(error);
  if (errors.length > 0) return tellUserErrors(errors, running);
  if (running.context.signal.aborted) return running.interruptedBy();
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const problem = 'this is a defect of meshscale, please report it';
  if (running.context.wantsJson()) {
    running.context.output.json({ errors: [{ code: 'internal/defect', problem, given: detail }] });
  }
  running.talk(`error internal/defect: ${problem}\n${detail}\n`);
  return 'internal';
}

function tellUsage(error: CommanderError, command: string, running: RunningContext): ExitWord {
  if (error.exitCode === 0) return 'good';
  const [problem = '', hint] = error.message.replace(/^error: /, '').split('\n');
  const usage = wrongUsage(problem, hint, command);
  // A bare group of commands: its help, just printed, is the answer.
  if (error.code === 'commander.help') return usage.exit;
  if (running.asksForJson()) running.context.output.json({ errors: [errorDocument(usage)] });
  running.talk(`${errorText(usage)}\n`);
  return usage.exit;
}

/** The command whose flags were meant: `meshscale engines list`. */
function commandOf(program: Command, argv: readonly string[]): string {
  const path = [program];
  for (const word of argv.slice(2)) {
    const next = path.at(-1)?.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    path.push(next);
  }
  return path.map((one) => one.name()).join(' ');
}

function tellUserErrors(errors: readonly UserError[], running: RunningContext): ExitWord {
  if (running.context.wantsJson())
    running.context.output.json({ errors: errors.map(errorDocument) });
  running.talk(errors.map((error) => `${errorText(error)}\n`).join('\n'));
  return decidingExit(errors.map((error) => error.exit));
}
