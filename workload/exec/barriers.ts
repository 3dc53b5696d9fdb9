import { asError, deferred, type Deferred } from '../kube/deferred.js';
import { abortable } from './abortable.js';

/** Meeting points of the clusters of a run. */
export interface Barriers {
  /** Resolves when every member that still takes part is at `phase`; rejects when the signal aborts. */
  arrive(phase: string, member: string, signal: AbortSignal): Promise<void>;
  /** Takes a member out: nobody waits for it any more. */
  leave(member: string): void;
}

/**
 * Barriers over `members`. `beforeRelease` is called once for each phase with those who take part;
 * nobody goes on before it has resolved, and everybody gets its error.
 */
export function createBarriers(
  members: readonly string[],
  beforeRelease: (phase: string, members: readonly string[]) => Promise<void>,
): Barriers {
  const present = new Set(members);
  const gates = new Map<string, Gate>();
  const look = (phase: string, gate: Gate): void => {
    const complete = [...present].every((member) => gate.arrived.has(member));
    if (gate.closing || present.size === 0 || !complete) return;
    gate.closing = true;
    beforeRelease(phase, [...present]).then(
      () => {
        gate.open.resolve(undefined);
      },
      (error: unknown) => {
        gate.open.reject(asError(error));
      },
    );
  };
  return {
    arrive: async (phase, member, signal) => {
      signal.throwIfAborted();
      const gate = gates.get(phase) ?? newGate();
      gates.set(phase, gate);
      gate.arrived.add(member);
      look(phase, gate);
      await abortable(gate.open.promise, signal);
    },
    leave: (member) => {
      present.delete(member);
      for (const [phase, gate] of gates) look(phase, gate);
    },
  };
}

interface Gate {
  readonly arrived: Set<string>;
  readonly open: Deferred<undefined>;
  closing: boolean;
}

function newGate(): Gate {
  return { arrived: new Set(), open: deferred(), closing: false };
}
