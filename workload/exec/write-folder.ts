import { errorCode } from '../platform/files.js';
import { runFolderUnwritable } from './errors.js';
import type { RunPaths } from './run-paths.js';

/** Does `deed` and turns what the file system refuses into run/folder-unwritable. */
export async function writeFolder<T>(
  { root }: Pick<RunPaths, 'root'>,
  deed: () => Promise<T>,
): Promise<T> {
  try {
    return await deed();
  } catch (error) {
    if (FILE_TROUBLE.has(errorCode(error) ?? '')) throw runFolderUnwritable(root, error);
    throw error;
  }
}

const FILE_TROUBLE: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ENOENT',
  'ENOTDIR',
  'ENOTSUP',
]);
