import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { pack, type Header } from 'tar-stream';
import { unpackReport } from '../../../../workload/cl2/executors/unpack-report.js';
import { withTemporaryFolder } from '../../../helpers/temporary-folder.js';

type HeaderGiven = Partial<Header> & Pick<Header, 'name'>;

async function archive(
  entries: readonly (readonly [HeaderGiven, string])[],
): Promise<{ bytes: Buffer; size: number; sha256: string }> {
  const tar = pack();
  for (const [header, content] of entries) tar.entry(header, content);
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  const bytes = gzipSync(Buffer.concat(chunks));
  return { bytes, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const JUNIT = [{ name: 'report/junit.xml' }, '<testsuite/>'] as const;
const QUERY = [
  { name: 'report/GenericPrometheusQuery X_t_2026-05-15T02:00:00Z.json' },
  '{}',
] as const;

describe('unpacking a report', () => {
  it('gives every file by its name, also with spaces and colons', async () => {
    await withTemporaryFolder(async (folder) => {
      const packed = await archive([[{ name: 'report/', type: 'directory' }, ''], JUNIT, QUERY]);
      expect(await unpackReport(packed, folder)).toEqual({ ok: true, files: 2 });
      expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toBe('<testsuite/>');
      expect((await readdir(folder)).length).toBe(2);
    });
  });

  it('takes nothing that would lie elsewhere or is no plain file', async () => {
    await withTemporaryFolder(async (folder) => {
      const packed = await archive([
        [{ name: 'report/../../evil' }, 'x'],
        [{ name: '/etc/evil' }, 'x'],
        [{ name: 'report/link', type: 'symlink', linkname: '/etc/passwd' }, ''],
        JUNIT,
      ]);
      expect(await unpackReport(packed, folder)).toEqual({ ok: true, files: 1 });
      expect(await readdir(folder)).toEqual(['junit.xml']);
    });
  });

  it('fails without a file when bytes are missing or others came', async () => {
    await withTemporaryFolder(async (folder) => {
      const packed = await archive([JUNIT]);
      const cut = { ...packed, bytes: packed.bytes.subarray(0, 20) };
      expect(await unpackReport(cut, folder)).toMatchObject({
        problem: `20 of ${packed.size} bytes came`,
      });
      const other = { ...packed, sha256: '0'.repeat(64) };
      expect(await unpackReport(other, folder)).toMatchObject({
        problem: expect.stringContaining('the checksum is'),
      });
      expect(await readdir(folder)).toEqual([]);
    });
  });

  it('fails for what is no archive', async () => {
    await withTemporaryFolder(async (folder) => {
      const bytes = Buffer.from('nothing');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(await unpackReport({ bytes, size: bytes.length, sha256 }, folder)).toMatchObject({
        ok: false,
        problem: expect.stringContaining('it cannot be unpacked'),
      });
    });
  });
});
