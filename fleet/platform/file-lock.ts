import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { numberAt, parseJson, textAt } from '../json.js';
import type { FleetLock } from '../ports.js';

/**
 * One lock file for each fleet in `folder`, for all processes of this machine: Terraform starts several
 * handlers at once, and somebody may run `meshscale fleet` beside them. The lock of a process that
 * was killed is free: its number is unused, or belongs to a process that started later.
 */
export function createFileLock(folder: string): FleetLock {
  return {
    tryTake: async (fleetId, purpose) => {
      await makeFolder(folder);
      const key = createHash('sha256').update(fleetId.toLowerCase()).digest('hex').slice(0, 20);
      const file = join(folder, `${key}.lock`);
      const start = startTimeOf(process.pid) ?? 'unknown';
      const holder = { pid: process.pid, start, host: hostname(), purpose };
      const ours = JSON.stringify({ ...holder, id: randomBytes(6).toString('hex') });
      for (;;) {
        if (await createWhole(file, ours)) {
          return { state: 'taken', release: () => removeIf(file, (text) => text === ours) };
        }
        const text = await textOf(file);
        if (text === undefined) continue; // released just now
        const breaker = isAlive(text) ? text : await removeDead(file, ours);
        if (breaker !== undefined) return { state: 'held', holder: holderText(breaker) };
      }
    },
  };
}

/** Not by Node's own recursion, which never ends where a file system takes no folders, as /proc does. */
async function makeFolder(folder: string, again = true): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || !again) throw error;
    await makeFolder(dirname(folder));
    await makeFolder(folder, false);
  }
}

/** A hard link appears whole or not at all, and fails when the name is taken. */
async function createWhole(file: string, text: string): Promise<boolean> {
  const whole = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(whole, text, { mode: 0o600, flag: 'wx' });
  try {
    await link(whole, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(whole, { force: true });
  }
}

/**
 * Removes the lock of a dead holder. Only who holds a second lock, the claim, may do that: else one that
 * read the dead lock a moment ago could remove the lock of who has replaced it meanwhile. Gives the
 * living holder of the claim when that is another.
 */
async function removeDead(file: string, ours: string): Promise<string | undefined> {
  const claim = `${file}.claim`;
  if (!(await createWhole(claim, ours))) {
    const claimer = await textOf(claim);
    if (claimer === undefined || isAlive(claimer)) return claimer;
    await removeIf(claim, (now) => now === claimer);
    return undefined;
  }
  try {
    const now = await textOf(file);
    if (now !== undefined && !isAlive(now)) await rm(file, { force: true });
    return undefined;
  } finally {
    await rm(claim, { force: true });
  }
}

/**
 * Removes the file if it still is what it was: it is moved aside first, since another may have replaced
 * it between reading and removing; one that is somebody else's is put back.
 */
async function removeIf(file: string, isIt: (text: string) => boolean): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    const text = await textOf(aside);
    if (text !== undefined && !isIt(text)) await link(aside, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function isAlive(text: string): boolean {
  const json = parseJson(text);
  const pid = numberAt(json, 'pid');
  if (pid === undefined) return false;
  // The processes of another machine cannot be looked up: believe the file.
  if (textAt(json, 'host') !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  const start = textAt(json, 'start');
  const now = startTimeOf(pid);
  return now === undefined || start === 'unknown' || start === now;
}

function holderText(text: string): string {
  const json = parseJson(text);
  return `process ${numberAt(json, 'pid') ?? '?'} (${textAt(json, 'purpose') ?? 'unknown'})`;
}

/** Clock ticks since boot, field 22 of /proc/<pid>/stat; undefined where there is no /proc. @see proc(5) */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? textAt(error, 'code') : undefined;
}
