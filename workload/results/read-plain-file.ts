import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Bytes } from '../../model/quantity.js';
import { errorCode } from '../platform/files.js';

/** What reading a file of a report folder gave. */
export type FileReading =
  | { readonly state: 'read'; readonly text: string }
  | { readonly state: 'missing' }
  /** Not opened, or too large: the file is named and nothing of it is used. */
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string };

/** Bigger files are named and not read: one summary of a large mesh has 1–2 MB. Our choice. */
export const MAX_FILE_BYTES: Bytes = 64 * 1024 * 1024;

/**
 * Reads a plain file as text, with three system calls for a small one: a mesh of 100 clusters leaves
 * 8,600 files, and asking for each one's size and going through the thread pool costs more than all
 * the rest of collecting. Links are not followed and pipes are not waited for. Never throws.
 */
export function readPlainFile(path: string): FileReading {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR')
      return { state: 'missing' };
    return { state: 'failed', reason: reasonOf(error) };
  }
  try {
    return readOpened(file);
  } catch (error) {
    return { state: 'failed', reason: reasonOf(error) };
  } finally {
    closeSync(file);
  }
}

/** Holds most files whole. Only one file is read at a time. */
const small = Buffer.allocUnsafe(256 * 1024);

function readOpened(file: number): FileReading {
  const count = readSync(file, small, 0, small.length, 0);
  // Of a plain file, less than was asked for means that this was all.
  if (count < small.length) return { state: 'read', text: small.toString('utf8', 0, count) };
  const { size } = fstatSync(file);
  if (size > MAX_FILE_BYTES) {
    return { state: 'refused', reason: `${size} bytes, more than ${MAX_FILE_BYTES}` };
  }
  const whole = Buffer.allocUnsafe(Math.max(size, count));
  let filled = 0;
  while (filled < whole.length) {
    const more = readSync(file, whole, filled, whole.length - filled, filled);
    if (more === 0) break;
    filled += more;
  }
  return { state: 'read', text: whole.toString('utf8', 0, filled) };
}

/** Without the path: rows must not say where their folder once lay. */
function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ELOOP') return 'a link, which is not followed';
  return code ?? (error instanceof Error ? error.message : String(error));
}
