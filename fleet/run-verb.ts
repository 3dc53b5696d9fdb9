import type { ExitWord } from '../model/exit-codes.js';
import { durationText } from '../model/quantity.js';
import { userErrorsOf } from '../model/user-error.js';
import { drain } from './drain.js';
import { ensure } from './ensure.js';
import { stillConnected } from './errors.js';
import type { FleetWorld } from './fleet-world.js';
import type { VerbArguments } from './handler-arguments.js';
import { leave } from './leave.js';
import { settle } from './settle.js';

/**
 * Runs a verb, for the handler and for the command alike. Gives what it found, as JSON. Throws
 * UserErrors; a drain or leave that did not come to its end always as `fleet/still-connected`, which
 * ends the process with 7, so that Terraform keeps the resource and what it depends on.
 */
export async function runVerb(given: VerbArguments, world: FleetWorld): Promise<object> {
  const { verb, profile, members, clusters, timeout } = given;
  const done = (text: string): void => {
    world.progress.report({ subject: `${verb} ${profile}`.trim(), state: 'done', text });
  };
  switch (verb) {
    case 'ensure': {
      const result = await ensure({ profile, members, timeout }, world);
      const text = result.state === 'alone' ? 'one member, no mesh' : `${members.length} connected`;
      done(`${text} after ${durationText(result.durationMs)}, ${result.applies} applies`);
      return result;
    }
    case 'settle':
      await settle({ clusters, timeout }, world);
      done(`${clusters.length} at rest`);
      return { settled: clusters };
    case 'leave':
    case 'drain':
      return await detach(given, world, done);
  }
}

async function detach(
  { verb, profile, members, timeout }: VerbArguments,
  world: FleetWorld,
  done: (text: string) => void,
): Promise<object> {
  const what = verb === 'drain' ? `the drain of ${profile}` : `leaving ${profile}`;
  try {
    if (verb === 'leave') {
      const left = await leave({ profile, members, timeout }, world);
      if (left.remainingMembers.length > 0) {
        throw stillConnected(what, left.remainingMembers, left.lastState);
      }
      done(`out of the mesh, ${left.applies} applies`);
      return left;
    }
    const result = await drain({ profile, timeout }, world);
    if (!result.deleted) throw stillConnected(what, result.remainingMembers, result.lastState);
    done(`drained and deleted, ${result.applies} applies`);
    return result;
  } catch (error) {
    throw incomplete(what, error);
  }
}

/** Whatever kept us from finishing: the answer is "not done, do it again". Wrong input stays that. */
function incomplete(what: string, error: unknown): unknown {
  const errors = userErrorsOf(error);
  const stays: readonly ExitWord[] = ['bad-input', 'leftovers'];
  const [first] = errors;
  if (first === undefined || errors.some(({ exit }) => stays.includes(exit))) return error;
  const reason = `${first.code}: ${first.problem}${first.given === undefined ? '' : ` (${first.given})`}`;
  return stillConnected(what, ['unknown'], reason, error);
}
