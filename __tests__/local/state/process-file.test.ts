import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openProcessTable, type ProcessRecord } from '../../../local/state/process-file.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'process-file-'));
  path = join(folder, 'processes.json');
});
afterEach(() => rm(folder, { recursive: true }));

const record = (name: string, pid = 1): ProcessRecord => ({
  role: 'mesh-001',
  name,
  pid,
  startTime: '7',
  pgid: pid,
  ports: { http: 20_001 },
  log: '/x.log',
  fingerprint: 'f',
});

describe('the process table', () => {
  it('holds what several clusters write at once, also for who opens it later', async () => {
    const table = await openProcessTable(path);
    const names = Array.from({ length: 30 }, (_, index) => `part-${index}`);
    await Promise.all(names.map((name) => table.put(record(name))));
    const again = await openProcessTable(path);
    expect(
      again
        .all()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...names].sort());
  });

  it('has one record for a name: the last', async () => {
    const table = await openProcessTable(path);
    await table.put(record('etcd', 1));
    await table.put(record('etcd', 2));
    expect((await openProcessTable(path)).all()).toEqual([record('etcd', 2)]);
  });

  it('forgets what was removed, on disk too', async () => {
    const table = await openProcessTable(path);
    await table.put(record('etcd'));
    await table.put(record('kwok'));
    await table.remove('mesh-001', 'etcd');
    expect(table.find('mesh-001', 'etcd')).toBeUndefined();
    expect(await readFile(path, 'utf8')).not.toContain('etcd');
  });
});
