import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { staleFiles } from '../../scripts/generated-files.js';

describe('the check of generated files', () => {
  let root = '';

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'meshscale-stale-'));
    await mkdir(join(root, 'schemas'));
    await writeFile(join(root, 'schemas', 'row.json'), '{}\n');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('says nothing when every file is as it has to be', async () => {
    expect(await staleFiles(root, [{ path: 'schemas/row.json', text: '{}\n' }])).toEqual([]);
  });

  it('names what is out of date, missing, or made by nothing', async () => {
    await writeFile(join(root, 'schemas', 'old.json'), '{}\n');
    const files = [
      { path: 'schemas/row.json', text: '{ "type": "object" }\n' },
      { path: 'schemas/verdict.json', text: '{}\n' },
    ];
    expect(await staleFiles(root, files)).toEqual([
      'schemas/row.json is out of date',
      'schemas/verdict.json is missing',
      'schemas/old.json is made by nothing: delete it',
    ]);
  });
});
