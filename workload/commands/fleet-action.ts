import { startBudget } from '../../fleet/budget.js';
import type { FleetWorld } from '../../fleet/fleet-world.js';
import { checkVerb, type Verb, type VerbArguments } from '../../fleet/handler-arguments.js';
import { badArgument, unknownMembers } from '../../fleet/errors.js';
import { checkFleetId, checkProfile } from '../../fleet/check-request.js';
import { createFileLock } from '../../fleet/platform/file-lock.js';
import { lockFolder } from '../../fleet/platform/lock-folder.js';
import { runVerb } from '../../fleet/run-verb.js';
import { fleetStatus } from '../../fleet/status.js';
import { parseDuration, type Milliseconds } from '../../model/quantity.js';
import { throwAll, type UserError } from '../../model/user-error.js';
import { fleetStatusText } from '../ui/fleet-status-text.js';
import { openAzure } from './azure-world.js';
import type { CommandContext } from './context.js';

/** The flags of all `fleet` commands. */
export interface FleetFlags {
  readonly fleet?: string;
  readonly profile?: string;
  readonly member: readonly string[];
  readonly timeout?: string;
}

/** Runs one `fleet` command with the handler's code, and tells what it gave. */
export async function runFleetCommand(
  verb: string,
  flags: FleetFlags,
  context: CommandContext,
): Promise<void> {
  const { fleet: fleetId = '', profile = '', member: members } = flags;
  const { timeout, errors } = readTimeout(flags.timeout);
  const given = { fleetId, profile, members, clusters: [], timeout };
  throwAll([...errors, ...checkFlags(verb, given)]);
  const { azure, clock, close } = await openAzure(context);
  const world: FleetWorld = {
    fleetId,
    api: azure.fleet(fleetId),
    lock: createFileLock(lockFolder(context.env)),
    clock,
    progress: context.progress(),
    signal: context.signal,
  };
  try {
    await tell(verb, given, world, context);
  } finally {
    close();
  }
}

type Given = Omit<VerbArguments, 'verb'>;

function checkFlags(verb: string, given: Given): readonly UserError[] {
  if (verb === 'status') return [...checkFleetId(given.fleetId), ...checkProfile(given.profile)];
  if (verb === 'settle') return checkFleetId(given.fleetId);
  return checkVerb({ ...given, verb: verb as Verb });
}

async function tell(
  verb: string,
  given: Given,
  world: FleetWorld,
  context: CommandContext,
): Promise<void> {
  if (verb === 'status') {
    const status = await fleetStatus(given.profile, world);
    if (context.wantsJson()) context.output.json({ schemaVersion: 1, ...status });
    else context.output.data(fleetStatusText(status));
    return;
  }
  const clusters = verb === 'settle' ? await clustersOf(given.members, world) : [];
  const result = await runVerb({ ...given, verb: verb as Verb, clusters }, world);
  if (context.wantsJson()) context.output.json({ schemaVersion: 1, ...result });
}

/** The AKS clusters behind members: of all members when none is named. */
async function clustersOf(names: readonly string[], world: FleetWorld): Promise<readonly string[]> {
  const bounds = { budget: startBudget(world.clock, LOOK_UP), signal: world.signal };
  const all = await world.api.members(bounds);
  const known = all.map(({ name }) => name);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length > 0) throw unknownMembers(missing, known);
  const wanted = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  return wanted.map(({ clusterId }) => clusterId);
}

/** For one list; chosen. */
const LOOK_UP: Milliseconds = 2 * 60_000;

function readTimeout(text: string | undefined) {
  if (text === undefined) return { timeout: undefined, errors: [] };
  const parsed = parseDuration(text);
  if (parsed.ok) return { timeout: parsed.milliseconds, errors: [] };
  const error = badArgument('--timeout', parsed.reason, text, '90s, 10m or 2h');
  return { timeout: undefined, errors: [error] };
}
