import { unknownMembers, memberFailed } from './errors.js';
import type { FleetMember } from './fleet-api.js';
import { boundsOf } from './fleet-world.js';
import type { Joining } from './joining.js';
import type { Labels } from './labels.js';
import { relabel } from './relabel.js';
import { throwAll } from '../model/user-error.js';

/** Gives members other labels; throws for all at once that are gone or refused. */
export async function relabelOrThrow(
  members: readonly FleetMember[],
  change: (labels: Labels) => Labels,
  { world, budget }: Joining,
): Promise<void> {
  const results = await relabel(members, change, world.api, boundsOf(world, budget));
  throwAll(
    results.flatMap((one) => {
      if (one.state === 'gone') return [unknownMembers([one.name], [])];
      return one.state === 'refused' ? [memberFailed(one.name, one.reason)] : [];
    }),
  );
}
