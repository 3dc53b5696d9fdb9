import { decidingExit, EXIT_CODES, type ExitWord } from '../model/exit-codes.js';
import type { Milliseconds } from '../model/quantity.js';
import { userErrorsOf, type UserError } from '../model/user-error.js';
import { connectAzure, type AzureWorld } from './connect.js';
import { nameOfId } from './resource-id.js';
import type { FleetLock, FleetProgress } from './ports.js';
import { readHandlerArguments } from './handler-arguments.js';
import { runVerb } from './run-verb.js';
import { throwAll } from '../model/user-error.js';

/** The process around the handler. */
export interface Surroundings extends AzureWorld {
  /** Without the program and the script. */
  readonly argv: readonly string[];
  readonly lock: FleetLock;
  readonly signal: AbortSignal;
  /** How the signal that aborted is told by the exit code. */
  interruptedBy(): ExitWord;
  /** A line of talk, to standard error. */
  tell(line: string): void;
  /** A line of data, to standard output. */
  data(line: string): void;
  close(): void;
}

/** Runs one verb and gives the exit code of the process. @see contracts.md §5 */
export async function handlerMain(around: Surroundings): Promise<number> {
  try {
    const { arguments: given, errors } = readHandlerArguments(around.argv, around.env);
    throwAll(errors);
    // Terraform has given roles a moment before it creates; before it destroys it has not.
    const made = given.verb === 'ensure' || given.verb === 'settle';
    const azure = await connectAzure({ ...around, rightsGrace: made ? RIGHTS_GRACE : 0 });
    const result = await runVerb(given, {
      fleetId: given.fleetId,
      api: azure.fleet(given.fleetId),
      lock: around.lock,
      clock: around.clock,
      progress: progressOf(around, given.fleetId),
      signal: around.signal,
    });
    around.data(JSON.stringify(result));
    return EXIT_CODES.good.code;
  } catch (error) {
    return EXIT_CODES[tellFailure(error, around)].code;
  } finally {
    around.close();
  }
}

/** A role takes up to five minutes to act. @see fleet-api.md §9 */
const RIGHTS_GRACE: Milliseconds = 5 * 60_000;

/** Lines as Terraform shows them: it puts the resource's address before each. */
function progressOf(around: Surroundings, fleetId: string): FleetProgress {
  const start = around.clock.monoNs();
  return {
    report: ({ subject, text }) => {
      const seconds = Math.round(Number(around.clock.monoNs() - start) / 1e9);
      around.tell(`${nameOfId(fleetId)} ${subject} +${seconds}s: ${text}`);
    },
  };
}

function tellFailure(error: unknown, around: Surroundings): ExitWord {
  if (around.signal.aborted) {
    around.tell('interrupted; run it again, it goes on from what it finds');
    return around.interruptedBy();
  }
  const errors = userErrorsOf(error);
  for (const one of errors) around.tell(errorText(one));
  if (errors.length > 0) return decidingExit(errors.map(({ exit }) => exit));
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  around.tell(`error internal/defect: this is a defect of meshscale, please report it\n${detail}`);
  return 'internal';
}

function errorText({ code, problem, given, expected, next }: UserError): string {
  const lines = [
    `error ${code}: ${problem}`,
    ...(given === undefined ? [] : [`  given:    ${given}`]),
    ...(expected === undefined ? [] : [`  expected: ${expected}`]),
    `  next:     ${next}`,
  ];
  return lines.join('\n');
}
