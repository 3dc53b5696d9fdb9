import type { Milliseconds } from '../model/quantity.js';
import { sleepWithin, startBudget, type Budget } from './budget.js';
import { memberFailed } from './errors.js';
import type { FleetMember, MemberRequest } from './fleet-api.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import { userLabels, type Labels } from './labels.js';
import { relabel } from './relabel.js';
import { sameId } from './resource-id.js';

/** A cluster that is to be a member. */
export interface EnsureMemberRequest extends MemberRequest {
  readonly name: string;
  /** @default 20 minutes: a fresh cluster is known to Fleet late */
  readonly timeout?: Milliseconds | undefined;
}

/**
 * Makes a cluster a member of the fleet with at least these labels; does nothing where it is one. For
 * clusters that Terraform does not join. Throws when the name is taken by another cluster, or the
 * join fails for good. @see fleet-api.md §10.1
 */
export async function ensureMember(
  request: EnsureMemberRequest,
  world: FleetWorld,
): Promise<FleetMember> {
  const budget = startBudget(world.clock, request.timeout ?? JOIN_BUDGET);
  for (let puts = 0; ;) {
    const found = await world.api.member(request.name, boundsOf(world, budget));
    if (found !== undefined) refuseOther(found, request);
    const state = found?.provisioningState.toLowerCase();
    if (found !== undefined && state === 'succeeded')
      return await withLabels(found, request, world, budget);
    if (state === undefined || state === 'failed' || state === 'canceled') {
      const why = await join(request, world, budget);
      puts += why === 'failed' ? 1 : 0;
      if (why !== 'joined' && (budget.spent() || puts >= MOST_PUTS))
        throw memberFailed(request.name, why);
      if (why === 'joined') continue;
    }
    if (budget.spent()) throw memberFailed(request.name, `still ${state ?? 'absent'}`);
    await sleepWithin(budget, TRY_AGAIN, world);
  }
}

/** @see fleet-api.md §9: DependentResourceNotFound, ManagedClusterNotInExpectedState */
const JOIN_BUDGET: Milliseconds = 20 * 60_000;
const TRY_AGAIN: Milliseconds = 20_000;
/** A join that has failed so often is not tried again; chosen. */
const MOST_PUTS = 3;

function refuseOther({ name, clusterId }: FleetMember, request: MemberRequest): void {
  if (sameId(clusterId, request.clusterId)) return;
  throw memberFailed(name, `the name is taken by ${clusterId}`);
}

/** `joined`, or the reason why not yet. */
async function join(
  request: EnsureMemberRequest,
  world: FleetWorld,
  budget: Budget,
): Promise<string> {
  const written = await world.api.putMember(request.name, request, boundsOf(world, budget));
  if (written.state === 'done') return 'joined';
  if (written.state === 'absent') throw memberFailed(request.name, 'there is no such fleet');
  const { kind, error } = written;
  const text = `${error.code}: ${error.message}`;
  const subject = request.name;
  world.progress.report({ subject, state: 'note', text: `cannot join yet: ${text}` });
  return kind === 'failed' ? 'failed' : text;
}

async function withLabels(
  found: FleetMember,
  request: EnsureMemberRequest,
  world: FleetWorld,
  budget: Budget,
): Promise<FleetMember> {
  const wanted = userLabels(request.labels);
  const change = (labels: Labels): Labels => ({ ...userLabels(labels), ...wanted });
  const bounds = boundsOf(world, budget);
  const [result] = await relabel([found], change, world.api, bounds);
  if (result?.state === 'as-it-was') return found;
  if (result?.state === 'refused') throw memberFailed(found.name, result.reason);
  const after = await world.api.member(found.name, bounds);
  if (after === undefined) throw memberFailed(found.name, 'it has left meanwhile');
  return after;
}
