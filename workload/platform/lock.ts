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

/** Undefined when the lock is ours now; otherwise its living holder. */
async function tryOnce(
  file: string,
  ours: LockHolder,
  processes: Processes,
): Promise<LockHolder | undefined> {
  for (;;) {
    if (await createWhole(file, ours)) return undefined;
    const text = await readText(file);
    if (text === undefined) continue;
    const holder = parseHolder(text);
    if (holder !== undefined && isAlive(holder, processes)) return holder;
    await removeIfUnchanged(file, text);
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
 * Moves a dead holder's lock away. Whoever moved a lock that had become another's meanwhile puts it
 * back: the link fails only if a third one was quicker, who then is the holder.
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
