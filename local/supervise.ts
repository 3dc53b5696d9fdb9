import { dirname } from 'node:path';
import type { Bytes, Milliseconds } from '../model/quantity.js';
import type { Clock } from '../workload/platform/clock.js';
import {
  ensureDirectory,
  errorCode,
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  sizeOf,
  tailOf,
  writeAtomic,
} from '../workload/platform/files.js';
import type { ProcessIdentity, Processes } from '../workload/platform/processes.js';
import type { Progress } from '../workload/platform/progress.js';
import { waitFor, type Look, type WaitResult } from '../workload/platform/wait.js';
import { fingerprint, type Component } from './component.js';
import { componentExited, componentFrozen, notReady } from './errors.js';
import { exitError, TAIL_LINES, type Attempt } from './exit-error.js';
import { PROCESS_VARIABLE, STATE_VARIABLE } from './marked-processes.js';
import { askingReadiness, type ReadinessAsker } from './readiness.js';
import { keyOf, type ProcessRecord, type ProcessTable } from './state/process-file.js';
import { endProcesses } from './stop-processes.js';

/** How often readiness is asked for, unless the component says otherwise. @see ReadinessProbe.period */
const READINESS_PERIOD: Milliseconds = 50;
/**
 * So long a running process may be silent before it is replaced: an API server whose etcd was just
 * started anew, or one that an interrupted `up` started a moment ago, answers by itself. Chosen.
 */
const PATIENCE: Milliseconds = 10_000;

/** What starting and watching processes needs. */
export interface Supervision {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly table: ProcessTable;
  /** `PATH`, `HOME` and the like: what a child may know of our environment. */
  readonly childEnvironment: Readonly<Record<string, string>>;
  readonly attempt: Attempt;
  /** Recorded processes that were found gone, such as `mesh-001/kvstoremesh`: their loss is told once. */
  readonly lost: Set<string>;
}

/** What {@link ensureRunning} did. */
export type Ensured = 'kept' | 'started';

/**
 * Makes sure that exactly the wanted process runs and is ready. A healthy one that was started the
 * same way is kept; anything else under its name is ended first.
 */
export async function ensureRunning(component: Component, by: Supervision): Promise<Ensured> {
  const kept = await keepIfHealthy(component, by);
  if (kept) return 'kept';
  const started = await start(component, by);
  await becomeReady(component, started, by);
  by.attempt.unready.delete(started.record.pid);
  return 'started';
}

async function keepIfHealthy(component: Component, by: Supervision): Promise<boolean> {
  const record = by.table.find(component.role, component.name);
  if (record === undefined) {
    if (by.lost.delete(keyOf(component))) tellAnew(component, 'is gone', by);
    return false;
  }
  if (
    by.processes.state(record) === 'running' &&
    record.fingerprint === fingerprint(component) &&
    (await answers(component, record, by))
  ) {
    by.attempt.unready.delete(record.pid);
    await keepPorts(component, record, by);
    return true;
  }
  tellAnew(component, describeTrouble(record, component, by), by);
  await endProcesses([record], { ...by, grace: 0 });
  await by.table.remove(component.role, component.name);
  return false;
}

function tellAnew({ role, name }: Component, trouble: string, by: Supervision): void {
  const text = `${name} ${trouble}: starting it anew`;
  by.progress.report({ subject: role, state: 'note', text });
}

/** The relay gets and loses ports while it runs: a port that is not written down is taken for another's. */
async function keepPorts(
  component: Component,
  record: ProcessRecord,
  by: Supervision,
): Promise<void> {
  if (JSON.stringify(record.ports) === JSON.stringify(component.ports)) return;
  await by.table.put({ ...record, ports: { ...component.ports } });
}

/** Whether it answers in its time; what we started ourselves and left unready has its whole budget. */
async function answers(
  component: Component,
  record: ProcessRecord,
  by: Supervision,
): Promise<boolean> {
  const budget = by.attempt.unready.has(record.pid) ? component.readyBudget : PATIENCE;
  const wait = await awaitAnswer(component, record, budget, by);
  return wait.state === 'ready' && wait.value === 'ready';
}

function describeTrouble(record: ProcessRecord, component: Component, by: Supervision): string {
  const state = by.processes.state(record);
  if (state === 'gone') return 'is gone';
  if (state === 'stopped') return 'is stopped (SIGSTOP)';
  return record.fingerprint === fingerprint(component) ? 'does not answer' : 'has new settings';
}

/** A process just started, and where its part of the log begins. */
interface Started {
  readonly record: ProcessRecord;
  readonly logStart: Bytes;
}

async function start(component: Component, by: Supervision): Promise<Started> {
  for (const file of component.files) {
    await ensureDirectory(dirname(file.path), PRIVATE_DIRECTORY);
    await writeAtomic(file.path, file.content, PRIVATE_FILE);
  }
  await ensureDirectory(dirname(component.logFile), PRIVATE_DIRECTORY);
  const logStart = await sizeOf(component.logFile);
  by.signal.throwIfAborted();
  const identity = await spawn(component, by);
  by.attempt.unready.add(identity.pid);
  const record = recordOf(component, identity);
  await by.table.put(record);
  return { record, logStart };
}

async function spawn(component: Component, by: Supervision): Promise<ProcessIdentity> {
  try {
    return await by.processes.start({
      command: component.program,
      args: component.args,
      cwd: component.cwd,
      env: {
        ...by.childEnvironment,
        ...component.env,
        [STATE_VARIABLE]: by.stateDir,
        [PROCESS_VARIABLE]: keyOf(component),
      },
      logFile: component.logFile,
    });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    const what = `${component.role}: ${component.name}`;
    throw componentExited(what, component.logFile, [String(error)]);
  }
}

function recordOf(component: Component, identity: ProcessIdentity): ProcessRecord {
  return {
    role: component.role,
    name: component.name,
    ...identity,
    pgid: identity.pid,
    ports: { ...component.ports },
    log: component.logFile,
    fingerprint: fingerprint(component),
  };
}

async function becomeReady(component: Component, started: Started, by: Supervision): Promise<void> {
  const { record, logStart } = started;
  const wait = await awaitAnswer(component, record, component.readyBudget, by);
  if (wait.state === 'ready') {
    if (wait.value === 'gone') throw await exitError(component, logStart, by.attempt);
    return;
  }
  const what = `${component.role}: ${component.name}`;
  if (by.processes.state(record) === 'stopped') throw componentFrozen(what, record.pid);
  const tail = await tailOf(component.logFile, TAIL_LINES, logStart);
  throw notReady(what, wait.elapsed, wait.missing, component.logFile, tail);
}

function awaitAnswer(
  component: Component,
  record: ProcessRecord,
  budget: Milliseconds,
  by: Supervision,
): Promise<WaitResult<'ready' | 'gone'>> {
  return askingReadiness(component.probe, (asker) =>
    waitFor({ ...by, budget, period: component.probe.period ?? READINESS_PERIOD }, () =>
      lookAt(component, record, asker, by),
    ),
  );
}

async function lookAt(
  component: Component,
  record: ProcessRecord,
  asker: ReadinessAsker,
  by: Supervision,
): Promise<Look<'ready' | 'gone'>> {
  if (by.processes.state(record) === 'gone') return { state: 'ready', value: 'gone' };
  if (await asker.isReady(by.signal)) return { state: 'ready', value: 'ready' };
  return { state: 'waiting', missing: [`an answer from ${component.probe.url}`] };
}
