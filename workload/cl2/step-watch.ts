import type { Milliseconds } from '../../model/quantity.js';
import { displayName } from './expected.js';
import { betweenTimesOfDay, readLogLine } from './log-lines.js';
import type { PlannedStep } from './phase-steps.js';

/** What the log has shown of one step. */
export interface SeenStep {
  readonly planned: PlannedStep;
  readonly name: string;
  /** By ClusterLoader2's own clock; undefined before its end. */
  duration: Milliseconds | undefined;
  errors: readonly string[];
}

/** Follows a run through its steps by the lines of its log. */
export interface StepWatch {
  readonly take: (line: string) => void;
  /** No more lines will come. */
  readonly end: () => void;
  readonly steps: readonly SeenStep[];
  /** Resolves when the step of that index has started, or the run has ended. */
  reached(index: number): Promise<'reached' | 'ended'>;
}

/** Steps are told apart by number and name, as both stand in the marker. */
export function createStepWatch(planned: readonly PlannedStep[]): StepWatch {
  const steps = planned.map((one, index): SeenStep => ({
    planned: one,
    name: displayName(one.step.name, index),
    duration: undefined,
    errors: [],
  }));
  const byName = new Map(steps.map(({ name }, index) => [name, index]));
  const state: WatchState = { steps, byName, at: -1, startedAt: undefined, last: -1, over: false };
  const waiters = new Set<() => void>();
  const changed = (): void => {
    for (const look of [...waiters]) look();
  };
  return {
    steps,
    take: (line) => {
      if (takeLine(state, line)) changed();
    },
    end: () => {
      state.over = true;
      changed();
    },
    reached: (index) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (state.at < index && !state.over) return;
          waiters.delete(look);
          resolve(state.at >= index ? 'reached' : 'ended');
        };
        waiters.add(look);
        look();
      }),
  };
}

interface WatchState {
  readonly steps: readonly SeenStep[];
  readonly byName: ReadonlyMap<string, number>;
  /** The step that started last. */
  at: number;
  startedAt: number | undefined;
  /** The step that ended last. */
  last: number;
  over: boolean;
}

function takeLine(state: WatchState, line: string): boolean {
  const event = readLogLine(line);
  if (event === undefined) return false;
  if (event.kind === 'step-errors') {
    const step = state.steps[state.last];
    if (step !== undefined) step.errors = [...step.errors, event.text];
    return false;
  }
  const index = state.byName.get(event.step);
  if (index === undefined) return false;
  if (event.kind === 'step-started') {
    state.at = index;
    state.startedAt = event.at;
    return true;
  }
  state.last = index;
  const step = state.steps[index];
  if (step !== undefined) {
    const { startedAt } = state;
    step.duration =
      startedAt === undefined || event.at === undefined
        ? 0
        : betweenTimesOfDay(startedAt, event.at);
  }
  return false;
}
