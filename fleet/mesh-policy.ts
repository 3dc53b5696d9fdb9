import type { Milliseconds } from '../model/quantity.js';

const MINUTE: Milliseconds = 60_000;

/** How long a mesh of `members` may take to be empty. @see fleet-api.md §10.3, budgets */
export function drainBudget(members: number): Milliseconds {
  if (members < 20) return 10 * MINUTE;
  return members < 50 ? 30 * MINUTE : 60 * MINUTE;
}

/** How long a mesh of `members` may take to be connected. @see fleet-api.md §8 */
export function connectBudget(members: number): Milliseconds {
  if (members <= 10) return 30 * MINUTE;
  return members < 50 ? 45 * MINUTE : 90 * MINUTE;
}

/** How long deleting a profile may take, list lag and late joiners included. @see fleet-api.md §10.3, S4 */
export const DELETE_BUDGET: Milliseconds = 10 * MINUTE;

/** Between two looks: 5 s in the first minute, then 15 s. @see fleet-api.md §8 */
export function pollPeriod(elapsed: Milliseconds): Milliseconds {
  return elapsed < MINUTE ? 5_000 : 15_000;
}

/** A mesh whose state is final and does not change for so long is applied again. @see fleet-api.md §10.3 */
export const QUIET_BEFORE_NUDGE: Milliseconds = MINUTE;
/** But no more often than that. */
export const BETWEEN_NUDGES: Milliseconds = 5 * MINUTE;

/** Member writes in flight. @see fleet-api.md §9, throttling */
export const MEMBER_WRITES_AT_ONCE = 8;

/** From so many members on they are enrolled in batches. @see fleet-api.md §10.2 */
export const LARGE_MESH = 50;
/** The size of a batch. */
export const BATCH = 10;
/** Members that are taken out and put back at once. @see fleet-api.md §10.2 */
export const REJOIN_AT_ONCE = 20;
/** A joining mesh in which no state changes for so long is stuck. Chosen: at N = 100 good runs moved all the time. @see fleet-api.md §14 */
export const STALLED_AFTER: Milliseconds = 20 * MINUTE;
