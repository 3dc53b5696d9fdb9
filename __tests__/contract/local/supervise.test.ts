import { createServer } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Component } from '../../../local/component.js';
import { openSupervision, type OpenSupervision } from '../../../local/open-supervision.js';
import { clearMesh } from '../../../local/down.js';
import { ensureRunning } from '../../../local/supervise.js';
import { ensureDirectory } from '../../../workload/platform/files.js';
import { systemProcesses } from '../../../workload/platform/system-processes.js';
import { createLocalWorld, type TestLocalWorld } from '../../helpers/local-world.js';
import { freePorts } from '../../helpers/real-etcd.js';
import { createVirtualClock, type VirtualClock } from '../../helpers/virtual-clock.js';

/** A component's program: serves 200 on its port until it is killed. */
const SERVES = `require('node:http').createServer((_, answer) => answer.end('ok'))
  .listen(Number(process.argv[1]), '127.0.0.1')`;
/** Programs that are quickly there, for what needs no server. */
const shell = (script: string): Partial<Component> => ({
  program: '/bin/sh',
  args: ['-c', script],
});
const SILENT = shell('exec sleep 600');

/** Starting Node takes seconds on a machine that is busy with other tests. */
jest.setTimeout(60_000);

let test: TestLocalWorld;
let by: OpenSupervision;
let port: number;
beforeEach(async () => {
  test = await createLocalWorld();
  await ensureDirectory(test.paths.root);
  by = await openSupervision(test.paths, test.world);
  [port = 0] = await freePorts(1);
});
afterEach(async () => {
  await clearMesh(test.paths, test.world);
  await test.remove();
});

const component = (script: string, changes: Partial<Component> = {}): Component => ({
  role: 'mesh-001',
  name: 'kwok',
  program: process.execPath,
  args: ['-e', script, String(port)],
  cwd: test.paths.root,
  logFile: join(test.paths.logs, 'kwok.log'),
  ports: { http: port },
  files: [{ path: join(test.paths.root, 'mesh-001', 'etc', 'kwok.yaml'), content: 'a: 1\n' }],
  probe: { url: `http://127.0.0.1:${port}/` },
  readyBudget: 60_000,
  ...changes,
});
const record = () => {
  const found = by.table.find('mesh-001', 'kwok');
  if (found === undefined) throw new Error('nothing is recorded');
  return found;
};

describe('a component', () => {
  it('is started with its files and its mark, and kept as long as it is healthy', async () => {
    expect(await ensureRunning(component(SERVES), by)).toBe('started');
    const { pid } = record();
    expect(systemProcesses.environmentOf(record(), 'MESHSCALE_PROCESS')).toBe('mesh-001/kwok');
    expect(await readFile(join(test.paths.root, 'mesh-001/etc/kwok.yaml'), 'utf8')).toBe('a: 1\n');
    const later = { ...by, ...(await openSupervision(test.paths, test.world)) };
    expect(await ensureRunning(component(SERVES), later)).toBe('kept');
    expect(later.table.find('mesh-001', 'kwok')?.pid).toBe(pid);
  });

  it('is started anew when its arguments or files have changed', async () => {
    await ensureRunning(component(SERVES), by);
    const first = record();
    const files = [{ path: join(test.paths.root, 'kwok.yaml'), content: 'a: 2\n' }];
    expect(await ensureRunning(component(SERVES, { files }), by)).toBe('started');
    expect(systemProcesses.state(first)).toBe('gone');
    expect(test.text()).toContain('kwok has new settings: starting it anew');
  });

  it.each([
    ['SIGKILL', 'kwok is gone'],
    ['SIGSTOP', 'kwok is stopped (SIGSTOP)'],
  ] as const)('is started anew after %s', async (signal, told) => {
    await ensureRunning(component(SERVES), by);
    const first = record();
    systemProcesses.signalGroup(first, signal);
    while (systemProcesses.state(first) === 'running') await by.clock.sleep(5);
    expect(await ensureRunning(component(SERVES), by)).toBe('started');
    expect(systemProcesses.state(first)).toBe('gone');
    expect(test.text()).toContain(told);
  });

  it('that is silent gets time to answer before it is replaced', async () => {
    await by.table.put({ ...(await silentRecord()) });
    const clock = createVirtualClock();
    const ensuring = ensureRunning(component('', SILENT), { ...by, clock });
    expect(await outcomeOf(ensuring, clock)).toMatchObject({ code: 'mesh/not-ready' });
    expect(test.text()).toContain('does not answer: starting it anew');
  });
});

describe('a component that does not start', () => {
  it('fails with the end of its own log when it exits, without what stood there before', async () => {
    const say = (text: string) => shell(`echo '${text}' >&2; exit 3`);
    await ensureRunning(component('', say('old trouble')), by).catch(() => undefined);
    await expect(ensureRunning(component('', say('no such flag: --x')), by)).rejects.toMatchObject({
      code: 'mesh/component-exited',
      problem: 'mesh-001: kwok ended while it was starting',
      given: expect.not.stringContaining('old trouble'),
    });
    await expect(ensureRunning(component('', say('no such flag: --x')), by)).rejects.toMatchObject({
      given: expect.stringContaining('no such flag: --x'),
    });
  });

  it('fails in words when its program cannot be run', async () => {
    const program = join(test.paths.root, 'nothing');
    await expect(ensureRunning(component(SERVES, { program }), by)).rejects.toMatchObject({
      code: 'mesh/component-exited',
      given: expect.stringContaining('ENOENT'),
    });
  });

  it('fails with mesh/port-taken when another program has its port, and remembers which', async () => {
    const squatter = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    await expect(ensureRunning(component(SERVES), by)).rejects.toMatchObject({
      code: 'mesh/port-taken',
      given: expect.stringContaining('EADDRINUSE'),
    });
    expect([...by.attempt.takenPorts]).toEqual([port]);
    await new Promise((resolve) => squatter.close(resolve));
  });

  it.each([
    'listen tcp 127.0.0.1:20001: bind: address already in use',
    'failed to create listener: failed to listen on 127.0.0.1:1: bind: address already in use',
    'Error: listen EADDRINUSE: address already in use 127.0.0.1:20100',
  ])(
    'fails with mesh/port-taken when its log says "%s" though the port is free again',
    async (line) => {
      const script = `console.error('${line}'); process.exit(1)`;
      await expect(ensureRunning(component(script), by)).rejects.toMatchObject({
        code: 'mesh/port-taken',
      });
      expect([...by.attempt.takenPorts]).toEqual([port]);
    },
  );

  it.each([
    ['is never ready', false, 'mesh/not-ready'],
    ['is frozen', true, 'mesh/component-frozen'],
  ])('fails when it %s in its time', async (_, frozen, code) => {
    const clock = createVirtualClock();
    const ensuring = ensureRunning(component('', SILENT), { ...by, clock });
    while (by.table.find('mesh-001', 'kwok') === undefined) await by.clock.sleep(5);
    if (frozen) systemProcesses.signalGroup(record(), 'SIGSTOP');
    expect(await outcomeOf(ensuring, clock)).toMatchObject({
      code,
      problem: expect.stringContaining('mesh-001: kwok'),
    });
  });

  it('fails at once when its caller gives up, and starts nothing after that', async () => {
    const signal = AbortSignal.abort(new Error('interrupted by SIGINT'));
    await expect(ensureRunning(component(SERVES), { ...by, signal })).rejects.toThrow(
      'interrupted',
    );
    expect(by.table.all()).toEqual([]);
  });
});

/** What a deed ends with, while its clock runs ahead. */
async function outcomeOf(deed: Promise<unknown>, clock: VirtualClock): Promise<unknown> {
  const progress = { over: false };
  const end = deed
    .catch((error: unknown) => error)
    .finally(() => {
      progress.over = true;
    });
  while (!progress.over) {
    await clock.advance(1_000);
    await by.clock.sleep(5);
  }
  return end;
}

/** The record of a running process that was started as SILENT would be, and answers nothing. */
async function silentRecord() {
  const other = { ...by, clock: createVirtualClock() };
  const caller = new AbortController();
  const starting = ensureRunning(component('', SILENT), { ...other, signal: caller.signal });
  const end = starting.catch(() => undefined);
  while (by.table.find('mesh-001', 'kwok') === undefined) await by.clock.sleep(5);
  caller.abort(new Error('killed'));
  await end;
  by.attempt.unready.clear();
  return record();
}
