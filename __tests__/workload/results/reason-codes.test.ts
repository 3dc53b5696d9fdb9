import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const ROOMS = ['results', 'native', 'exec', 'cl2'].map((room) => join(ROOT, 'workload', room));

describe('reason codes', () => {
  it('stand in the page that explains reports, every one that a cluster or rule can give', async () => {
    const page = await readFile(join(ROOT, 'docs/read-a-report.md'), 'utf8');
    const codes = (await Promise.all(ROOMS.map(codesIn))).flat();
    expect(codes.length).toBeGreaterThan(25);
    expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});

/** Codes of endings and of rules: `code: 'x'`, and the second argument of what makes a reason. */
async function codesIn(room: string): Promise<readonly string[]> {
  const files = (await readdir(room, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const texts = await Promise.all(
    files
      .filter((file) => !file.endsWith('errors.ts'))
      .map((file) => readFile(join(room, file), 'utf8')),
  );
  return texts.flatMap((text) =>
    [
      ...text.matchAll(/\bcode: '([a-z0-9-]+)'/g),
      ...text.matchAll(/\b(?:reason|infrastructure|workload)\(\s*cluster,\s*'([a-z0-9-]+)'/g),
      ...text.matchAll(/\bratioRule\([^,]+, '[a-z]+', '([a-z0-9-]+)'/g),
    ].flatMap((match) => match[1] ?? []),
  );
}
