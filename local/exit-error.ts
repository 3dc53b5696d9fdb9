import type { Bytes } from '../model/quantity.js';
import type { UserError } from '../model/user-error.js';
import { tailOf } from '../workload/platform/files.js';
import { portIsFree } from '../workload/platform/ports.js';
import type { Component } from './component.js';
import { componentExited, portTaken } from './errors.js';
import { keyOf, type ProcessRecord } from './state/process-file.js';

/** How much of a log is shown with an error. */
export const TAIL_LINES = 15;

/** One try of `up` to bring the mesh up, and what the next one has to do differently. */
export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** Ports that belong to another program by now. */
  readonly takenPorts: Set<number>;
  /** Components that answered once and then ended, such as `mesh-001/kvstoremesh`. */
  readonly vanished: Set<string>;
  /** Processes (by number) that were started by this `up` and have not answered yet. */
  readonly unready: Set<number>;
}

/** How etcd, Kubernetes, Cilium, KWOK, Prometheus (all Go) and Node say that a port is taken. */
const IN_USE = /address already in use|EADDRINUSE/i;

/**
 * Why a component ended at its start. When that was a port that another program has taken, it is
 * written down in the attempt.
 */
export async function exitError(
  component: Component,
  logStart: Bytes,
  attempt: Attempt,
): Promise<UserError> {
  const what = `${component.role}: ${component.name}`;
  const tail = await tailOf(component.logFile, TAIL_LINES, logStart);
  const ports = await takenPorts(component, tail);
  if (ports.length === 0) return componentExited(what, component.logFile, tail);
  for (const port of ports) attempt.takenPorts.add(port);
  return portTaken(what, attempt.number, tail);
}

/** The error of a component that had answered and is gone now. */
export async function vanishedError(record: ProcessRecord, attempt: Attempt): Promise<UserError> {
  attempt.vanished.add(keyOf(record));
  const tail = await tailOf(record.log, TAIL_LINES);
  for (const port of await takenPorts(record, tail)) attempt.takenPorts.add(port);
  return componentExited(`${record.role}: ${record.name}`, record.log, tail);
}

/** The process is gone, so whoever holds one of its ports now is another. */
async function takenPorts(
  component: Pick<Component, 'ports'>,
  tail: readonly string[],
): Promise<readonly number[]> {
  const ports = Object.values(component.ports);
  const free = await Promise.all(ports.map(portIsFree));
  const taken = ports.filter((_, index) => free[index] === false);
  // Taken for a moment, or on an address that we did not try: which one is not known, so all change.
  return taken.length === 0 && tail.some((line) => IN_USE.test(line)) ? ports : taken;
}

/** The ports among `ours` that a message about an address in use names. */
export function portsInUse(message: string, ours: readonly number[]): readonly number[] {
  if (!IN_USE.test(message)) return [];
  return ours.filter((port) => message.includes(`:${port}`));
}
