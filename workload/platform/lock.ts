import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from './clock.js';
import { errorCode } from './files.js';
import type { Processes } from './processes.js';
import { waitFor } from './wait.js';

const holderSchema = z.object({
  pid: z.number(),
  startTime: z.string(),
  host: z.string(),
  purpose: z.string(),
});

/** Who holds a lock, and what for. */
export type LockHolder = z.infer<typeof holderSchema>;

/** Taken, or who has it. */
export type LockResult =
  | { readonly state: 'taken'; release(): Promise<void> }
  | { readonly state: 'held'; readonly holder: LockHolder };

/** What a lock needs of the world. */
export interface LockOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  /** What the holder does, for the message of who comes second. */
  readonly purpose: string;
  /** How long to wait for another holder. @default 0: answer at once */
  readonly waitBudget?: Milliseconds;
  readonly signal?: AbortSignal | undefined;
}

/** How often a waiter looks again. Chosen: quick for people, idle for the machine. */
const LOOK_AGAIN: Milliseconds = 200;

/**
 * Takes the lock `file`, or says who holds it. A holder that died (its process number is free or
 * belongs to a later process) is replaced, so a lock never outlives a crash on the same host.
 */
export async function acquireLock(file: string, options: LockOptions): Promise<LockResult> {
  const ours: LockHolder = {
    ...options.processes.self(),
    host: hostname(),
    purpose: options.purpose,
  };
  const bounds = {
    clock: options.clock,
    budget: options.waitBudget ?? 0,
    period: LOOK_AGAIN,
    signal: options.signal,
  };
  let holder: LockHolder = ours;
  const wait = await waitFor(bounds, async () => {
    const found = await tryOnce(file, ours, options.processes);
    if (found === undefined) return { state: 'ready', value: undefined };
    holder = found;
    return { state: 'waiting', missing: [`lock held by process ${found.pid}`] };
  });
  if (wait.state === 'timed-out') return { state: 'held', holder };
  return { state: 'taken', release: () => releaseOurs(file, ours) };
}

/** Who holds the lock `file` now; undefined when nobody living does. Changes nothing. */
export async function lockHolder(
  file: string,
  processes: Processes,
): Promise<LockHolder | undefined> {
  const text = await readText(file);
  const holder = text === undefined ? undefined : parseHolder(text);
  return holder !== undefined && isAlive(holder, processes) ? holder : undefined;
}

/** Undefined when the lock is ours now; otherwise its living holder. */
async function tryOnce(
  file: string,
  ours: LockHolder,
  processes: Processes,
): Promise<LockHolder | undefined> {
  for (;;) {
    if (await createWhole(file, ours)) return undefined;
    const holder = await lockHolder(file, processes);
    if (holder !== undefined) return holder;
    const breaker = await removeDead(file, ours, processes);
    if (breaker !== undefined) return breaker;
  }
}

/**
 * Removes the lock of a dead holder. Only who holds a second lock, the claim, may do that: else one
 * that read the dead lock a moment ago could remove the lock of who has replaced it meanwhile.
 * Gives the living holder of the claim when that is another.
 */
async function removeDead(
  file: string,
  ours: LockHolder,
  processes: Processes,
): Promise<LockHolder | undefined> {
  const claim = `${file}.claim`;
  if (!(await createWhole(claim, ours))) {
    const claimer = await lockHolder(claim, processes);
    if (claimer !== undefined) return claimer;
    const text = await readText(claim);
    if (text !== undefined) await removeIfUnchanged(claim, text);
    return undefined;
  }
  try {
    if ((await lockHolder(file, processes)) === undefined) await rm(file, { force: true });
    return undefined;
  } finally {
    await rm(claim, { force: true });
  }
}

/** A hard link appears with its whole content or not at all, and fails when the name is taken. */
async function createWhole(file: string, holder: LockHolder): Promise<boolean> {
  const whole = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(whole, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
  try {
    await link(whole, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(whole, { force: true });
  }
}

/**
 * Moves the claim of one that died while it removed a dead lock. Whoever moved a claim that had
 * become another's meanwhile puts it back.
 */
async function removeIfUnchanged(file: string, seen: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    if ((await readText(aside)) !== seen) await link(aside, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function releaseOurs(file: string, ours: LockHolder): Promise<void> {
  const text = await readText(file);
  if (text === JSON.stringify(ours)) await rm(file, { force: true });
}

function isAlive(holder: LockHolder, processes: Processes): boolean {
  // Another host's processes cannot be looked up: believe the file.
  return holder.host !== hostname() || processes.state(holder) !== 'gone';
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
