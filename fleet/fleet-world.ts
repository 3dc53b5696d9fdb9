import type { Budget } from './budget.js';
import type { CallBounds, FleetApi } from './fleet-api.js';
import type { FleetClock, FleetLock, FleetProgress } from './ports.js';

/** All of the world that the algorithms touch. */
export interface FleetWorld {
  /** Full id of the fleet. */
  readonly fleetId: string;
  readonly api: FleetApi;
  readonly lock: FleetLock;
  readonly clock: FleetClock;
  readonly progress: FleetProgress;
  readonly signal: AbortSignal;
}

/** The bounds of the calls of a step. */
export function boundsOf(world: FleetWorld, budget: Budget): CallBounds {
  return { budget, signal: world.signal };
}
