import { randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import type { Bytes } from '../../model/quantity.js';

/** Owner only: kubeconfigs, keys, tokens. */
export const PRIVATE_FILE = 0o600;
/** Owner only: folders that hold secrets. */
export const PRIVATE_DIRECTORY = 0o700;

/**
 * Writes a file so that a reader, or a crash at any moment, sees the old content or the new one and
 * never a part: a sibling is written, flushed to disk and renamed over it.
 */
export async function writeAtomic(
  file: string,
  content: string | Uint8Array,
  mode = 0o644,
): Promise<void> {
  const sibling = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.part`);
  try {
    const handle = await open(sibling, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(sibling, file);
  } catch (error) {
    await rm(sibling, { force: true });
    throw error;
  }
}

/** The text of a file, or undefined when there is none. Any other trouble is thrown. */
export async function readIfThere(file: string): Promise<string | undefined> {
  return (await bytesIfThere(file))?.toString();
}

async function bytesIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes a folder with all its parents, and gives the folder itself `mode`. */
export async function ensureDirectory(directory: string, mode = 0o755): Promise<void> {
  await makeDirectories(directory, mode);
  await chmod(directory, mode);
}

/**
 * Makes a folder and its parents where they are missing. Not by Node's own recursion, which never ends
 * where a file system takes no folders and says ENOENT, as /proc does. Throws ENOTSUP there.
 */
export async function makeDirectories(directory: string, mode: number): Promise<void> {
  if ((await makeOne(directory, mode)) === 'made') return;
  const parent = dirname(directory);
  await makeDirectories(parent, mode);
  if ((await makeOne(directory, mode)) === 'made') return;
  const text = `${parent}: no folder can be made there`;
  throw Object.assign(new Error(text), {
    code: (await isDirectory(parent)) ? 'ENOTSUP' : 'ENOENT',
  });
}

async function makeOne(directory: string, mode: number): Promise<'made' | 'no-parent'> {
  try {
    await mkdir(directory, { mode });
  } catch (error) {
    const there = errorCode(error) === 'EEXIST' && (await isDirectory(directory));
    if (errorCode(error) === 'ENOENT' && dirname(directory) !== directory) return 'no-parent';
    if (!there) throw error;
  }
  return 'made';
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a file stands there; what cannot be looked at is none. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Appends one line and waits until the disk has it. */
export async function appendDurably(file: string, line: string): Promise<void> {
  await appendFile(file, `${line}\n`, { flush: true });
}

/** The last `count` lines of a text file from byte `from` on; empty when there is no file. */
export async function tailOf(
  file: string,
  count: number,
  from: Bytes = 0,
): Promise<readonly string[]> {
  const bytes = await bytesIfThere(file);
  return (bytes ?? Buffer.alloc(0))
    .subarray(from)
    .toString()
    .trimEnd()
    .split('\n')
    .slice(-count)
    .filter((line) => line !== '');
}

/** The size of a file; 0 when there is none. */
export async function sizeOf(file: string): Promise<Bytes> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Node's `code` of a system error (`ENOENT`, `EADDRINUSE`), or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
