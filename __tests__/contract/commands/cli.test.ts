import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { usageErrors } from '../../../workload/ui/errors.js';
import { CLI, cli, cliJson } from '../../helpers/cli.js';

/** Every case starts the program. */
jest.setTimeout(60_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

const state = (name: string) => ['--state', join(folder, name)];
const codes = (document: unknown): readonly unknown[] => {
  if (typeof document !== 'object' || document === null || !('errors' in document)) return [];
  const { errors } = document;
  return Array.isArray(errors) ? errors.map((error: { code: string }) => error.code) : [];
};

describe('the command line', () => {
  it('answers --help and --version', async () => {
    const help = await cli(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('mesh');
    expect(help.stdout).not.toContain('internal');
    expect(await cli(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n' });
  });

  it.each([
    ['an unknown option', ['up', '--clusers', '3'], '--clusers'],
    ['an unknown command', ['upp'], 'upp'],
    ['an argument too many', ['mesh', 'status', 'now'], 'too many arguments'],
  ])('fails with 2 for %s, and says it on stderr alone', async (_, args, named) => {
    const result = await cli(args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(named);
  });

  it('fails with one document of errors on --json, also for a wrong usage', async () => {
    const usage = await cliJson(['up', '--clusers', '3']);
    expect(codes(usage)).toEqual(['spec/usage']);
    expect(usage).toMatchObject({ errors: [{ next: expect.stringContaining('--help') }] });
    expect(Object.keys(usageErrors.meanings)).toEqual(codes(usage));
    const flags = ['up', '--clusters', '0', '--nodes', 'many', ...state('none')];
    expect(codes(await cliJson(flags)).toSorted()).toEqual([
      'mesh/clusters-out-of-range',
      'mesh/nodes-out-of-range',
    ]);
  });

  it('fails with every part of an error, one below the other', async () => {
    const { code, stderr } = await cli(['mesh', 'status', ...state('none')]);
    expect(code).toBe(5);
    expect(stderr).toContain('error mesh/not-there: there is no local mesh here\n  given:    /');
    expect(stderr).toContain('\n  next:     run `meshscale up`');
  });

  it('fails in words for a state folder of another version', async () => {
    const dir = join(folder, 'stale');
    await mkdir(dir);
    await writeFile(join(dir, 'mesh.json'), '{"schemaVersion":99}');
    const document = await cliJson(['mesh', 'status', '--state', dir]);
    expect(codes(document)).toEqual(['mesh/state-version']);
    expect(await cli(['up', '--state', dir])).toMatchObject({ code: 5 });
    expect(await cli(['down', '--state', dir])).toMatchObject({ code: 0 });
  });

  it('says that there is nothing to do when there is no mesh to end', async () => {
    const down = await cli(['down', ...state('none')]);
    expect(down.code).toBe(0);
    expect(down.stderr).toContain('nothing to do');
    expect(await cliJson(['down', ...state('none')])).toMatchObject({ found: false });
  });

  it('does not mind a reader that stops reading', () => {
    const script = `"${process.execPath}" "${CLI}" --help | true; exit \${PIPESTATUS[0]}`;
    const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
