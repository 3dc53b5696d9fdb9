import type { Milliseconds } from '../../model/quantity.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import type { Progress } from '../platform/progress.js';
import { createBarriers } from './barriers.js';
import type { Journal } from './journal.js';

/** What starts and ends phases over all clusters of a run. */
export interface PhaseSync {
  /** Resolves when the phase may begin here; `lag`: how much later than the first cluster. */
  begin(
    phase: ScenarioPhase,
    role: string,
    signal: AbortSignal,
  ): Promise<{ readonly lag: Milliseconds | undefined }>;
  /** Resolves when the probes that began with the phase have their answers. */
  probesOf(phase: ScenarioPhase): Promise<void>;
  /** Writes down that the phase is over here. Never rejects. */
  end(phase: ScenarioPhase, role: string): Promise<void>;
  leave(role: string): void;
}

/** What the phases of a run are bound to. */
export interface PhaseSyncOptions {
  readonly roles: readonly string[];
  readonly phases: readonly ScenarioPhase[];
  /** The attempt that a cluster is in now. */
  attemptOf(role: string): number;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly progress: Progress;
  /** Starts the probes of a phase over these clusters; resolves when they are done. Called once for each phase. */
  startProbes(phase: ScenarioPhase, roles: readonly string[]): Promise<void>;
  /** Ends what the probes wait for at a cluster that takes no part any more. */
  leaveProbes(role: string): void;
}

/**
 * Binds the clusters of a run together: a phase with a barrier is in the journal, and on the disk,
 * before the first cluster begins it; its probes begin with it.
 */
export function createPhaseSync(options: PhaseSyncOptions): PhaseSync {
  const { roles, phases, journal, clock } = options;
  const starts = createStarts(options);
  const probes = new Map<string, Promise<void>>();
  const beginProbes = (phase: ScenarioPhase, members: readonly string[]): void => {
    if (probes.has(phase.name)) return;
    const done = options.startProbes(phase, members);
    // Whoever waits for them hears of it; until then nobody may be waiting.
    done.catch(() => undefined);
    probes.set(phase.name, done);
  };
  const barriers = createBarriers(roles, async (name, members) => {
    const phase = phases.find((one) => one.name === name);
    if (phase === undefined) throw new Error(`there is no phase ${name}`);
    await journal.append(...members.map((role) => started(phase, role, options.attemptOf(role))));
    starts.expect(name, members.length);
    beginProbes(phase, members);
  });
  return {
    begin: async (phase, role, signal) => {
      if (phase.sync === 'barrier') {
        await barriers.arrive(phase.name, role, signal);
        return { lag: starts.take(phase.name, clock.monoNs()) };
      }
      await journal.append(started(phase, role, options.attemptOf(role)));
      beginProbes(phase, roles);
      return { lag: undefined };
    },
    probesOf: ({ name }) => probes.get(name) ?? Promise.resolve(),
    end: async (phase, role) => {
      // A full disk is told by the next phase, and must not hide why this one ended.
      await journal.append(ended(phase, role, options.attemptOf(role))).catch(() => undefined);
    },
    leave: (role) => {
      barriers.leave(role);
      options.leaveProbes(role);
    },
  };
}

function started({ name, kind }: ScenarioPhase, cluster: string, attempt: number) {
  return { event: 'phase-started', cluster, attempt, data: { phase: name, kind } } as const;
}

function ended({ name, kind }: ScenarioPhase, cluster: string, attempt: number) {
  return { event: 'phase-ended', cluster, attempt, data: { phase: name, kind } } as const;
}

interface Starts {
  expect(phase: string, members: number): void;
  /** How much later than the first this one starts; tells the skew with the last one. */
  take(phase: string, atNs: bigint): Milliseconds;
}

function createStarts({ progress, journal }: PhaseSyncOptions): Starts {
  const open = new Map<string, { members: number; firstNs: bigint | undefined; seen: number }>();
  return {
    expect: (phase, members) => {
      open.set(phase, { members, firstNs: undefined, seen: 0 });
    },
    take: (phase, atNs) => {
      const known = open.get(phase) ?? { members: 1, firstNs: undefined, seen: 0 };
      known.firstNs ??= atNs;
      known.seen += 1;
      const lag = millisecondsBetween(known.firstNs, atNs);
      if (known.seen === known.members && known.members > 1) {
        const text = `${phase}: ${known.members} clusters began within ${lag.toFixed(2)} ms`;
        progress.report({ subject: 'run', state: 'note', text });
        const data = { phase, skewMs: lag, clusters: known.members };
        journal.append({ event: 'phase-started', data }).catch(() => undefined);
      }
      return lag;
    },
  };
}
