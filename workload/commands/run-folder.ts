import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where runs stand unless `run --out` says otherwise. */
const RUNS = 'runs';

/**
 * The folder that is meant by what stood on the command line: a path, or the id of a run in `runs`, as
 * every run prints it. Whether it is a run folder is for its reader to say.
 */
export function folderNamed(given: string, cwd: string): string {
  const path = resolve(cwd, given);
  const run = resolve(cwd, RUNS, given);
  return !existsSync(path) && existsSync(run) ? run : path;
}
