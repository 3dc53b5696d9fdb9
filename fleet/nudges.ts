import type { Milliseconds } from '../model/quantity.js';
import { BETWEEN_NUDGES, QUIET_BEFORE_NUDGE } from './mesh-policy.js';
import { fingerprint, type MeshView } from './mesh-view.js';
import type { FleetClock } from './ports.js';

/** Decides when a mesh that has come to rest in a wrong state is applied again. */
export interface Nudges {
  /** True when it is time; that counts as the nudge. Asked with every look. */
  due(view: MeshView): boolean;
}

/**
 * A nudge is due when nothing has changed for a minute and the state is final, and no more than once
 * in five minutes: the service's lists lag, and an apply that is not needed costs two minutes.
 */
export function createNudges(clock: FleetClock): Nudges {
  const now = (): Milliseconds => Number(clock.monoNs()) / 1e6;
  let seen = '';
  let quietSince = now();
  let last = Number.NEGATIVE_INFINITY;
  return {
    due: (view) => {
      const print = fingerprint(view);
      if (print !== seen) {
        seen = print;
        quietSince = now();
      }
      if (view.profile.state === 'Applying') return false;
      if (now() - quietSince < QUIET_BEFORE_NUDGE || now() - last < BETWEEN_NUDGES) return false;
      last = now();
      return true;
    },
  };
}
