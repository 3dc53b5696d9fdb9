import type { Milliseconds } from '../../model/quantity.js';
import { millisecondsBetween } from '../platform/clock.js';
import type { Sighting } from './place.js';
import type { Deed } from './run-probe.js';

/** Whether something was seen in time after a deed. What comes later than the budget is not counted. */
export type SeenOrNot =
  | { readonly sighting: Sighting; readonly afterMs: Milliseconds }
  | { readonly sighting?: undefined; readonly lateMs?: Milliseconds | undefined };

/** Compares a sighting with the deed that it is to follow, on the one clock. */
export function seenWithin(
  sighting: Sighting | undefined,
  deed: Deed | undefined,
  budget: Milliseconds,
): SeenOrNot {
  if (sighting === undefined || deed === undefined) return {};
  const afterMs = millisecondsBetween(deed.sentNs, sighting.atNs);
  return afterMs <= budget ? { sighting, afterMs } : { lateMs: afterMs };
}
