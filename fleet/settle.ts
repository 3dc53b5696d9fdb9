import type { Milliseconds } from '../model/quantity.js';
import { throwAll } from '../model/user-error.js';
import { sleepWithin, startBudget, type Budget } from './budget.js';
import { notSettled } from './errors.js';
import type { ClusterState } from './fleet-api.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import { mapLimited } from './map-limited.js';
import { nameOfId } from './resource-id.js';
import { createStallWatch } from './stall-watch.js';
import { tellChanges } from './tell-changes.js';

/** Which clusters are to come to rest. */
export interface SettleRequest {
  /** Full ids of AKS clusters. */
  readonly clusters: readonly string[];
  /** @default 30 minutes */
  readonly timeout?: Milliseconds | undefined;
}

/**
 * Waits until clusters are at rest: cluster and node pools `Succeeded` in three reads 20 s apart. An
 * add-on (ACNS) is still being installed for minutes after the cluster was made, and what touches the
 * cluster then is refused; a single good read may lie between two changes. Throws for all at once
 * that have failed or did not come to rest. @see fleet-api.md §§9, 10.1
 */
export async function settle(request: SettleRequest, world: FleetWorld): Promise<void> {
  const budget = startBudget(world.clock, request.timeout ?? SETTLE_BUDGET);
  const errors = await mapLimited(request.clusters, LOOKS_AT_ONCE, (cluster) =>
    settleOne(cluster, world, budget),
  );
  throwAll(errors.flatMap((error) => error ?? []));
}

/** ACNS took 10 to 17 minutes. @see azure-limits.md §2, settling */
const SETTLE_BUDGET: Milliseconds = 30 * 60_000;
/** Reads in a row, and the time between two. @see fleet-api.md §10.1 */
const GOOD_READS = 3;
const BETWEEN_READS: Milliseconds = 20_000;
/** A cluster whose state stays the same for so long is stuck. @see azure-limits.md §2 */
const STUCK_AFTER: Milliseconds = 20 * 60_000;
/** Each looks every 20 s; chosen. */
const LOOKS_AT_ONCE = 8;

async function settleOne(cluster: string, world: FleetWorld, budget: Budget) {
  const name = nameOfId(cluster);
  const tell = tellChanges(world, name);
  const stall = createStallWatch(world.clock);
  for (let good = 0; ;) {
    const state = await world.api.cluster(cluster, boundsOf(world, budget));
    const text = state === undefined ? 'there is no such cluster' : stateText(state);
    good = state !== undefined && isAtRest(state) ? good + 1 : 0;
    tell(`${text}; ${good} of ${GOOD_READS} good reads`);
    if (good >= GOOD_READS) return undefined;
    if (good === 0 && stall.isStalled(text, STUCK_AFTER)) {
      return notSettled(name, `${text}, the same for 20 minutes`);
    }
    if (good > 0) stall.isStalled(text, STUCK_AFTER);
    if (budget.spent()) return notSettled(name, text);
    await sleepWithin(budget, BETWEEN_READS, world);
  }
}

function isAtRest({ provisioningState, pools }: ClusterState): boolean {
  return [provisioningState, ...Object.values(pools)].every((state) => state === 'Succeeded');
}

function stateText({ provisioningState, pools }: ClusterState): string {
  const moving = Object.entries(pools).filter(([, state]) => state !== 'Succeeded');
  return [provisioningState, ...moving.map(([name, state]) => `pool ${name} ${state}`)].join(', ');
}
