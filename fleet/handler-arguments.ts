import { parseDuration, type Milliseconds } from '../model/quantity.js';
import type { UserError } from '../model/user-error.js';
import { checkFleetId, checkMembers, checkProfile } from './check-request.js';
import { badArgument } from './errors.js';
import type { Environment } from './ports.js';
import { isClusterId } from './resource-id.js';

/** What the handler can do. */
const VERBS = ['ensure', 'leave', 'drain', 'settle'] as const;
/** A deed on a fleet; `status`, which changes nothing, is a command of its own. */
export type Verb = (typeof VERBS)[number];

/** What a verb is to work on. */
export interface VerbArguments {
  readonly verb: Verb;
  readonly fleetId: string;
  readonly profile: string;
  readonly members: readonly string[];
  /** Full ids of AKS clusters, for `settle`. */
  readonly clusters: readonly string[];
  readonly timeout: Milliseconds | undefined;
}

/**
 * `<verb> [--timeout D]`, the identities from the environment: `FLEET_ID`, `PROFILE`, `MEMBER` or
 * `MEMBERS`, `CLUSTER_ID` or `CLUSTER_IDS` (comma separated). Gives all that is wrong at once.
 */
export function readHandlerArguments(
  argv: readonly string[],
  env: Environment,
): { readonly arguments: VerbArguments; readonly errors: readonly UserError[] } {
  const [word, ...flags] = argv;
  const { timeout, errors } = readFlags(flags);
  const known = VERBS.find((one) => one === word);
  const given = {
    verb: known ?? 'settle',
    fleetId: env['FLEET_ID'] ?? '',
    profile: env['PROFILE'] ?? '',
    members: listOf(env['MEMBERS'] ?? env['MEMBER']),
    clusters: listOf(env['CLUSTER_IDS'] ?? env['CLUSTER_ID']),
    timeout,
  } as const;
  const verbs =
    known === undefined ? [badArgument('verb', 'no such verb', word, VERBS.join(', '))] : [];
  const missing = known === undefined ? [] : checkVerb(given);
  return { arguments: given, errors: [...verbs, ...errors, ...missing] };
}

/** What is missing or wrong for the verb. */
export function checkVerb(given: VerbArguments): readonly UserError[] {
  const { verb, fleetId, profile, members, clusters } = given;
  if (verb === 'settle') {
    const wrong = clusters.filter((id) => !isClusterId(id));
    const expected = '/subscriptions/…/managedClusters/…';
    const errors = wrong.map((id) =>
      badArgument('CLUSTER_ID', 'no id of an AKS cluster', id, expected),
    );
    if (clusters.length > 0) return errors;
    return [badArgument('CLUSTER_ID', 'settle needs the id of a cluster', undefined, expected)];
  }
  const needsMembers = (verb === 'ensure' || verb === 'leave') && members.length === 0;
  return [
    ...checkFleetId(fleetId),
    ...checkProfile(profile),
    ...(verb === 'leave' ? checkMembers(members) : []),
    ...(needsMembers ? [badArgument('MEMBER', `${verb} needs members`, undefined, 'names')] : []),
  ];
}

function readFlags(flags: readonly string[]) {
  let timeout: Milliseconds | undefined;
  const errors: UserError[] = [];
  for (let at = 0; at < flags.length; at += 1) {
    const flag = flags[at];
    if (flag !== '--timeout') {
      errors.push(badArgument(flag ?? '', 'no such flag', flag, '--timeout'));
      continue;
    }
    at += 1;
    const parsed = parseDuration(flags[at] ?? '');
    if (parsed.ok) timeout = parsed.milliseconds;
    else errors.push(badArgument('--timeout', parsed.reason, flags[at], '90s, 10m or 2h'));
  }
  return { timeout, errors };
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
