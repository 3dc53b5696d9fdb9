import type { ProcessIdentity, Processes } from '../workload/platform/processes.js';

/** Every child carries these, so that it can be found even when nobody could write it down. */
export const STATE_VARIABLE = 'MESHSCALE_STATE';
/** `mesh-001/etcd` */
export const PROCESS_VARIABLE = 'MESHSCALE_PROCESS';
/** The name of a process that carries the mark of the state folder only. */
export const UNNAMED = 'unnamed';

/** A process of the mesh with its name, `mesh-001/etcd`. */
export interface NamedProcess extends ProcessIdentity {
  readonly key: string;
}

/** A process with our mark; helpers of a recorded process are in its group. */
export interface MarkedProcess extends NamedProcess {
  readonly group: number;
}

/** Processes that carry the mark of the mesh in `stateDir`, recorded or not. */
export function runningMarked(
  stateDir: string,
  world: { readonly processes: Processes },
): readonly MarkedProcess[] {
  return world.processes.findByEnvironment(STATE_VARIABLE, stateDir).map((found) => ({
    ...found,
    key: world.processes.environmentOf(found, PROCESS_VARIABLE) ?? UNNAMED,
  }));
}

/** Those of them that neither stand in a record nor are helpers of a recorded one. */
export function unrecorded(
  marked: readonly MarkedProcess[],
  records: readonly ProcessIdentity[],
): readonly MarkedProcess[] {
  const known = new Set(records.map(({ pid }) => pid));
  return marked.filter(({ pid, group }) => !known.has(pid) && !known.has(group));
}
