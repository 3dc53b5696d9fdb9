import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ensureDirectory, makeDirectories } from '../../../workload/platform/files.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

describe('making folders', () => {
  it('makes the parents that are missing, and is content with what is there', async () => {
    await withTemporaryFolder(async (root) => {
      await makeDirectories(join(root, 'a', 'b', 'c'), 0o700);
      await makeDirectories(join(root, 'a', 'b', 'c'), 0o700);
      expect(await readdir(join(root, 'a', 'b'))).toEqual(['c']);
    });
  });

  it('gives the folder its mode, also when it was there', async () => {
    await withTemporaryFolder(async (root) => {
      await mkdir(join(root, 'open'), { mode: 0o755 });
      await ensureDirectory(join(root, 'open'), 0o700);
      expect((await stat(join(root, 'open'))).mode & 0o777).toBe(0o700);
    });
  });

  it('is content when others make the same folder meanwhile', async () => {
    await withTemporaryFolder(async (root) => {
      const same = Array.from({ length: 8 }, () =>
        makeDirectories(join(root, 'x', 'y', 'z'), 0o755),
      );
      await Promise.all(same);
      expect(await readdir(join(root, 'x', 'y'))).toEqual(['z']);
    });
  });

  it('fails below a file', async () => {
    await withTemporaryFolder(async (root) => {
      await writeFile(join(root, 'file'), '');
      const making = makeDirectories(join(root, 'file', 'a', 'b'), 0o755);
      await expect(making).rejects.toMatchObject({ code: 'ENOTDIR' });
    });
  });

  it('fails, and comes to an end, where a file system takes no folders', async () => {
    const making = makeDirectories('/proc/meshscale/a/b', 0o755);
    await expect(making).rejects.toMatchObject({ code: 'ENOTSUP' });
  });
});
