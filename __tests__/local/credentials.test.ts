import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clusterCredentials, ensureMeshAuthority } from '../../local/credentials.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 24 * 3_600_000;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'credentials-'));
});
afterEach(() => rm(root, { recursive: true }));

const make = async (now = NOW) => {
  await ensureMeshAuthority(join(root, 'mesh'), now);
  return clusterCredentials(
    'mesh-001',
    { cluster: join(root, 'one'), mesh: join(root, 'mesh') },
    now,
  );
};
const snapshot = async (): Promise<Readonly<Record<string, string>>> => {
  const names = await readdir(join(root, 'one'));
  const texts = names.map(async (name) => [name, await readFile(join(root, 'one', name), 'utf8')]);
  return Object.fromEntries((await Promise.all(texts)) as [string, string][]);
};
const changes = async (before: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const after = await snapshot();
  return Object.keys(after).filter((name) => after[name] !== before[name]);
};

describe('the credentials of a cluster', () => {
  it('are made once and read ever after', async () => {
    await make();
    const before = await snapshot();
    await make(NOW + DAY);
    expect(await changes(before)).toEqual([]);
  });

  it('stand in files that only their owner can read', async () => {
    await make();
    for (const name of await readdir(join(root, 'one'))) {
      expect((await stat(join(root, 'one', name))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(join(root, 'one'))).mode & 0o777).toBe(0o700);
  });

  it('are signed by the authority that is named with them', async () => {
    const { kube, mesh } = await make();
    for (const issued of [...Object.values(kube), ...Object.values(mesh)]) {
      const authority = new X509Certificate(await readFile(issued.caFile));
      expect(new X509Certificate(issued.certPem).verify(authority.publicKey)).toBe(true);
    }
  });

  it.each(['kwok.crt', 'kwok.key'])(
    'get a new pair where an interruption left half of one (without %s)',
    async (missing) => {
      await make();
      const before = await snapshot();
      await rm(join(root, 'one', missing));
      await make();
      expect(await changes(before)).toEqual(['kwok.crt', 'kwok.key']);
    },
  );

  it.each(['service-account.key', 'service-account.pub'])(
    'get a new service account key without %s',
    async (missing) => {
      await make();
      const before = await snapshot();
      await rm(join(root, 'one', missing));
      await make();
      expect(await changes(before)).toEqual(['service-account.key', 'service-account.pub']);
    },
  );

  it('are all made anew when their authority had to be', async () => {
    await make();
    const before = await snapshot();
    await rm(join(root, 'one', 'ca.key'));
    const { kube } = await make();
    expect(await changes(before)).toContain('admin.crt');
    const authority = new X509Certificate(kube.admin.caPem);
    expect(new X509Certificate(kube.admin.certPem).verify(authority.publicKey)).toBe(true);
  });

  it.each([
    ['years ahead', NOW + 3 * 365 * DAY],
    ['a day behind', NOW - DAY],
  ])('fails when the clock has jumped %s', async (_, now) => {
    await make();
    await expect(make(now)).rejects.toMatchObject({
      code: 'mesh/clock-jumped',
      given: `it is ${new Date(now).toISOString()}`,
      expected: expect.stringContaining('2026-03-01T11:00:00.000Z'),
    });
  });

  it('fails when a certificate was issued after a jump ahead that was then taken back', async () => {
    await make();
    await rm(join(root, 'one', 'kwok.crt'));
    await make(NOW + 100 * DAY);
    await expect(make(NOW + DAY)).rejects.toMatchObject({
      code: 'mesh/clock-jumped',
      expected: expect.stringContaining('kwok.crt'),
    });
  });

  it.each(['ca.crt', 'kwok.crt'])('get a new pair where %s is damaged', async (damaged) => {
    await make();
    const before = await snapshot();
    await writeFile(join(root, 'one', damaged), 'nonsense');
    await make();
    expect(await changes(before)).toContain('kwok.crt');
  });
});
