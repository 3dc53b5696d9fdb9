import type { Milliseconds } from '../../model/quantity.js';
import { millisecondsBetween, type Clock } from '../../workload/platform/clock.js';

/** What a task made of its key. `failed` comes again after the backoff, `later` after its delay. */
export type TaskResult =
  | { readonly state: 'done' }
  | { readonly state: 'later'; readonly delay: Milliseconds }
  | { readonly state: 'failed'; readonly reason: string };

/** The settings of a queue. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Ends the queue: running tasks finish, nothing new starts. */
  readonly signal: AbortSignal;
  /** Tasks at once. */
  readonly concurrency: number;
  /** Reads the state of the world again each time; must not throw. */
  readonly work: (key: string) => Promise<TaskResult>;
  /** Told of each failure, with how often in a row this key has failed. */
  readonly onFailure: (key: string, reason: string, attempts: number) => void;
}

/**
 * Keys that have something to do. A key that waits is there once however often it is added; a key is
 * never worked on twice at the same time; one that is added while it is worked on comes again.
 */
export interface WorkQueue {
  readonly add: (key: string) => void;
  readonly addAfter: (key: string, delay: Milliseconds) => void;
  /** Keys waiting or being worked on; those that wait for a delay are not counted. */
  readonly depth: () => number;
  /** Starts nothing new, and resolves when what runs has ended. */
  pause(): Promise<void>;
  resume(): void;
}

/** A queue that starts paused. */
export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  const state: State = {
    options,
    waiting: new Set(),
    running: new Set(),
    failures: new Map(),
    due: new Map(),
    alarms: new Set(),
    paused: true,
    onQuiet: [],
  };
  const add = (key: string): void => {
    state.waiting.add(key);
    startTasks(state);
  };
  return {
    add,
    addAfter: (key, delay) => {
      addAfter(state, key, delay);
    },
    depth: () => state.waiting.size + state.running.size,
    pause: async () => {
      state.paused = true;
      if (state.running.size === 0) return;
      await new Promise<void>((resolve) => state.onQuiet.push(resolve));
    },
    resume: () => {
      state.paused = false;
      startTasks(state);
    },
  };
}

interface State {
  readonly options: WorkQueueOptions;
  /** In the order of arrival. */
  readonly waiting: Set<string>;
  readonly running: Set<string>;
  readonly failures: Map<string, number>;
  /** The earliest wake-up of each key that waits for a delay, monotonic nanoseconds. */
  readonly due: Map<string, bigint>;
  /** When we are going to look at `due`. */
  readonly alarms: Set<bigint>;
  paused: boolean;
  onQuiet: (() => void)[];
}

function startTasks(state: State): void {
  const { concurrency, signal } = state.options;
  if (state.paused) return;
  for (const key of state.waiting) {
    if (state.running.size >= concurrency || signal.aborted) return;
    if (state.running.has(key)) continue;
    state.waiting.delete(key);
    state.running.add(key);
    void runTask(state, key);
  }
}

async function runTask(state: State, key: string): Promise<void> {
  const result = await state.options.work(key);
  state.running.delete(key);
  settle(state, key, result);
  if (state.running.size === 0) {
    for (const resolve of state.onQuiet.splice(0)) resolve();
  }
  startTasks(state);
}

function settle(state: State, key: string, result: TaskResult): void {
  if (result.state !== 'failed') state.failures.delete(key);
  if (result.state === 'later') addAfter(state, key, result.delay);
  if (result.state !== 'failed') return;
  const attempts = (state.failures.get(key) ?? 0) + 1;
  state.failures.set(key, attempts);
  state.options.onFailure(key, result.reason, attempts);
  addAfter(state, key, Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (attempts - 1)));
}

/** The earliest wake-up of a key is enough: the task finds out itself that it is too early. */
function addAfter(state: State, key: string, delay: Milliseconds): void {
  const at = state.options.clock.monoNs() + BigInt(Math.ceil(delay * 1e6));
  const standing = state.due.get(key);
  if (standing !== undefined && standing <= at) return;
  state.due.set(key, at);
  void ring(state, at);
}

/** One sleeper for all keys, not one each: thousands may wait, and each would listen to the signal. */
async function ring(state: State, at: bigint): Promise<void> {
  const { clock, signal } = state.options;
  for (const alarm of state.alarms) if (alarm <= at) return;
  state.alarms.add(at);
  try {
    await clock.sleep(Math.max(0, millisecondsBetween(clock.monoNs(), at)), signal);
  } catch {
    return; // the signal: the queue has ended
  }
  state.alarms.delete(at);
  const now = clock.monoNs();
  let next: bigint | undefined;
  for (const [key, due] of state.due) {
    if (due <= now) {
      state.due.delete(key);
      state.waiting.add(key);
    } else if (next === undefined || due < next) next = due;
  }
  if (next !== undefined) void ring(state, next);
  startTasks(state);
}

/** Ours: a write refused for a passing reason (a namespace that ends) is tried again quickly … */
const FIRST_BACKOFF: Milliseconds = 100;
/** … and an API server that is down sees at most one round of all keys in this time. */
const LONGEST_BACKOFF: Milliseconds = 10_000;
