import type { CreateEngine } from '../../workload/exec/create-engine.js';
import { nativeEngine } from '../../workload/exec/create-engine.js';
import type { ActionFailure } from '../../workload/native/cluster-engine.js';

/** What an engine does instead of its work: fails at its start, or hangs in its first phase. */
export type ScriptedAttempt = ActionFailure | 'hang' | 'work';

/**
 * Our own engine, except for the attempts that the script names: `{ 'mesh-002': [failure] }` fails the
 * first attempt there. `started` gets the role of each that begins.
 */
export function scriptedEngine(
  script: Readonly<Record<string, readonly ScriptedAttempt[]>>,
  started: string[] = [],
): CreateEngine {
  const made = new Map<string, number>();
  return (request) => {
    const { role } = request.connection.cluster;
    const number = made.get(role) ?? 0;
    made.set(role, number + 1);
    const does = script[role]?.[number] ?? 'work';
    const engine = nativeEngine(request);
    return {
      ...engine,
      start: async (signal) => {
        started.push(role);
        return typeof does === 'object' ? does : await engine.start(signal);
      },
      act: async (phase, budget, signal) => {
        if (does === 'hang') await request.clock.sleep(A_DAY, signal);
        return await engine.act(phase, budget, signal);
      },
    };
  };
}

/** A failure of a class that the table of signatures knows. */
export function failureOfClass(code: string): ActionFailure {
  return { cause: 'infrastructure', code, text: `it was ${code}` };
}

const A_DAY = 24 * 3_600_000;
