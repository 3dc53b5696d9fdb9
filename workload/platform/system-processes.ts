import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { errorCode } from './files.js';
import { environmentValue, processFacts } from './process-table.js';
import type {
  DetachedCommand,
  ProcessIdentity,
  Processes,
  ProcessState,
  ShortCommand,
  ShortResult,
} from './processes.js';

/** The machine's own processes. Linux reads /proc, elsewhere `ps` answers. */
export const systemProcesses: Processes = {
  self: () => identityOf(process.pid),
  start: startDetached,
  run: runShort,
  state: stateOf,
  signalGroup: (identity, signal) => {
    const facts = processFacts(identity.pid);
    if (facts === undefined || stateOf(identity) === 'gone') return 'gone';
    // One that does not lead a group (its leader died before it) is signalled alone.
    return sendSignal(facts.group === identity.pid ? -identity.pid : identity.pid, signal);
  },
  findByEnvironment: (name, value) =>
    processNumbers()
      .filter((pid) => pid !== process.pid && environmentValue(pid, name) === value)
      .map((pid) => ({ pid, facts: processFacts(pid) }))
      .flatMap(({ pid, facts }) =>
        facts === undefined || facts.zombie
          ? []
          : [{ pid, startTime: facts.startTime, group: facts.group }],
      ),
  environmentOf: (identity, name) =>
    stateOf(identity) === 'gone' ? undefined : environmentValue(identity.pid, name),
};

function identityOf(pid: number): ProcessIdentity {
  const facts = processFacts(pid);
  // A child that is already gone has no start time left; it can never match a living process.
  return { pid, startTime: facts?.startTime ?? 'gone' };
}

function stateOf(identity: ProcessIdentity): ProcessState {
  const facts = processFacts(identity.pid);
  if (facts === undefined || facts.zombie || facts.startTime !== identity.startTime) return 'gone';
  return facts.stopped ? 'stopped' : 'running';
}

function sendSignal(target: number, signal: NodeJS.Signals): 'sent' | 'gone' {
  try {
    process.kill(target, signal);
    return 'sent';
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return 'gone';
    throw error;
  }
}

async function startDetached(command: DetachedCommand): Promise<ProcessIdentity> {
  const log = openSync(command.logFile, 'a', 0o600);
  try {
    const child = spawn(command.command, command.args, {
      cwd: command.cwd,
      env: command.env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    await started(child);
    child.unref();
    return identityOf(pidOf(child));
  } finally {
    closeSync(log);
  }
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('a started child has no process number');
  return child.pid;
}

async function runShort(command: ShortCommand): Promise<ShortResult> {
  command.signal?.throwIfAborted();
  const child = spawn(command.command, command.args, {
    cwd: command.cwd,
    env: command.env ?? process.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: string[] = [];
  const stderr: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
  createInterface({ input: child.stderr }).on('line', (line) => {
    stderr.push(line);
    command.onErrorLine?.(line);
  });
  const kill = (): void => {
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
  };
  command.signal?.addEventListener('abort', kill, { once: true });
  try {
    const end = await ended(child);
    command.signal?.throwIfAborted();
    return shortResult(end, stdout.join(''), stderr.join('\n'));
  } finally {
    command.signal?.removeEventListener('abort', kill);
  }
}

type ChildEnd = { readonly code: number | null; readonly signal: string | null } | 'not-found';

function ended(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
    child.once('error', (error) => {
      if (['ENOENT', 'EACCES', 'ENOEXEC'].includes(errorCode(error) ?? '')) resolve('not-found');
      else reject(error);
    });
  });
}

function shortResult(end: ChildEnd, stdout: string, stderr: string): ShortResult {
  if (end === 'not-found') return { state: 'not-found' };
  if (end.code === null) return { state: 'killed', signal: end.signal ?? 'unknown', stderr };
  return { state: 'ended', exitCode: end.code, stdout, stderr };
}

function processNumbers(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch (error) {
    // Without /proc (macOS) nobody else's environment can be read: what was recorded is all there is.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
