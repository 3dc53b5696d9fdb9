import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../workload/platform/clock.js';
import type { ProcessIdentity } from '../../../workload/platform/processes.js';
import { systemProcesses } from '../../../workload/platform/system-processes.js';
import { waitFor } from '../../../workload/platform/wait.js';

const MARK = 'MESHSCALE_TEST_MARK';
let folder: string;
let started: ProcessIdentity[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'processes-'));
  started = [];
});
afterEach(async () => {
  for (const one of started) systemProcesses.signalGroup(one, 'SIGKILL');
  await rm(folder, { recursive: true });
});

const start = async (script: string, env: Readonly<Record<string, string>> = {}) => {
  const identity = await systemProcesses.start({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', [MARK]: folder, ...env },
    logFile: join(folder, 'log'),
  });
  started.push(identity);
  return identity;
};
const until = async (what: string, condition: () => boolean): Promise<void> => {
  const bounds = { clock: systemClock, budget: 20_000, period: 5 };
  const wait = await waitFor(bounds, () =>
    Promise.resolve(
      condition() ? { state: 'ready', value: true } : { state: 'waiting', missing: [what] },
    ),
  );
  expect(wait).toMatchObject({ state: 'ready' });
};
const marked = () => systemProcesses.findByEnvironment(MARK, folder);

describe('a detached child', () => {
  it('runs, is stopped, goes on and is gone, as it is told', async () => {
    const child = await start('exec sleep 60');
    expect(systemProcesses.state(child)).toBe('running');
    systemProcesses.signalGroup(child, 'SIGSTOP');
    await until('stopped', () => systemProcesses.state(child) === 'stopped');
    systemProcesses.signalGroup(child, 'SIGCONT');
    await until('running', () => systemProcesses.state(child) === 'running');
    expect(systemProcesses.signalGroup(child, 'SIGKILL')).toBe('sent');
    await until('gone', () => systemProcesses.state(child) === 'gone');
    expect(systemProcesses.signalGroup(child, 'SIGKILL')).toBe('gone');
  });

  it('sees nothing of our environment, and writes into its log', async () => {
    const child = await start('env; echo to stderr >&2');
    await until('its end', () => systemProcesses.state(child) === 'gone');
    const log = await readFile(join(folder, 'log'), 'utf8');
    expect(log).toContain('to stderr');
    expect(log).not.toContain('NODE_ENV');
  });

  it('is ended with the children that it has started', async () => {
    const child = await start('sleep 60 & sleep 60 & wait');
    await until('its children', () => marked().length === 3);
    expect(new Set(marked().map(({ group }) => group))).toEqual(new Set([child.pid]));
    systemProcesses.signalGroup(child, 'SIGKILL');
    await until('an end of all', () => marked().length === 0);
  });

  it('is found by its mark also when nobody wrote it down, and when it is stopped', async () => {
    const child = await start('exec sleep 60', { NAME: 'mesh-001/etcd' });
    systemProcesses.signalGroup(child, 'SIGSTOP');
    await until('its mark', () => marked().length === 1);
    expect(marked()).toEqual([{ ...child, group: child.pid }]);
    expect(systemProcesses.environmentOf(child, 'NAME')).toBe('mesh-001/etcd');
    expect(systemProcesses.environmentOf(child, 'OTHER')).toBeUndefined();
    expect(systemProcesses.findByEnvironment(MARK, `${folder}/other`)).toEqual([]);
  });

  it('that leads no group any more is signalled alone', async () => {
    const child = await start('sleep 60 & exit 0');
    await until('the end of its leader', () => systemProcesses.state(child) === 'gone');
    await until('the orphan', () => marked().length === 1);
    const [orphan] = marked();
    if (orphan === undefined) throw new Error('no orphan');
    expect(systemProcesses.signalGroup(orphan, 'SIGKILL')).toBe('sent');
    await until('its end', () => marked().length === 0);
  });

  it('that ended at once can never be taken for another process', async () => {
    const child = await start('exit 0');
    await until('its end', () => systemProcesses.state(child) === 'gone');
    expect(systemProcesses.state({ ...child, startTime: 'gone' })).toBe('gone');
  });

  it('is not one that later got its number', () => {
    const self = systemProcesses.self();
    expect(systemProcesses.state(self)).toBe('running');
    const earlier = { ...self, startTime: '1' };
    expect(systemProcesses.state(earlier)).toBe('gone');
    expect(systemProcesses.signalGroup(earlier, 'SIGKILL')).toBe('gone');
  });

  it('fails to start when there is no such program', async () => {
    const command = join(folder, 'nothing');
    await expect(
      systemProcesses.start({
        command,
        args: [],
        cwd: folder,
        env: {},
        logFile: join(folder, 'log'),
      }),
    ).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a short command', () => {
  it('gives its output and its exit code', async () => {
    const lines: string[] = [];
    const result = await systemProcesses.run({
      command: '/bin/sh',
      args: ['-c', 'echo out; echo one >&2; echo two >&2; exit 3'],
      onErrorLine: (line) => lines.push(line),
    });
    expect(result).toEqual({ state: 'ended', exitCode: 3, stdout: 'out\n', stderr: 'one\ntwo' });
    expect(lines).toEqual(['one', 'two']);
  });

  it('says when there is no such program, and which signal ended it', async () => {
    const nothing = await systemProcesses.run({ command: join(folder, 'nothing'), args: [] });
    expect(nothing).toEqual({ state: 'not-found' });
    const killed = await systemProcesses.run({ command: '/bin/sh', args: ['-c', 'kill -9 $$'] });
    expect(killed).toMatchObject({ state: 'killed', signal: 'SIGKILL' });
  });

  it('is killed with its children when its caller gives up', async () => {
    const caller = new AbortController();
    const running = systemProcesses.run({
      command: '/bin/sh',
      args: ['-c', 'sleep 60 & sleep 60'],
      env: { PATH: process.env['PATH'], [MARK]: folder },
      signal: caller.signal,
    });
    await until('its children', () => marked().length === 3);
    caller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await until('an end of all', () => marked().length === 0);
  });
});
