import { errorCode } from '../workload/platform/files.js';

/** Whether an error is the file system's refusal of the state folder. */
export function isUnwritable(error: unknown): boolean {
  // `spawn /path/of/etcd`: its EACCES speaks of the program.
  return !String(error).includes('spawn') && UNWRITABLE.has(errorCode(error) ?? '');
}

/** What the system says when files cannot be read or written; none of these can come from a socket. */
const UNWRITABLE: ReadonlySet<string> = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO'],
  ...['ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP', 'ENOTSUP'],
]);
