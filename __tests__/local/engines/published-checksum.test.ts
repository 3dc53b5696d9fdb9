import { describe, expect, it } from '@jest/globals';
import { publishedChecksum } from '../../../local/engines/published-checksum.js';

const sum = 'a'.repeat(64);
const other = 'b'.repeat(64);

describe('a published checksum', () => {
  it.each([
    ['bare', sum],
    ['bare', `${sum.toUpperCase()}  kwok\n`],
    ['lines', `${other}  kwok.exe\n${sum}  kwok\n`],
    ['lines', `${sum} *kwok\r\n`],
    [
      'github-digest',
      JSON.stringify({ assets: [{ name: 'x' }, { name: 'kwok', digest: `sha256:${sum}` }] }),
    ],
  ] as const)('is read from %s', (format, text) => {
    expect(publishedChecksum(format, text, 'kwok')).toBe(sum);
  });

  it.each([
    ['bare', '<html>not found</html>'],
    ['bare', ''],
    ['lines', `${other}  kwok.exe\n`],
    ['lines', 'sorry  kwok'],
    ['github-digest', 'not json'],
    ['github-digest', JSON.stringify({ message: 'rate limit' })],
    ['github-digest', JSON.stringify({ assets: [{ name: 'kwok', digest: null }] })],
    ['github-digest', JSON.stringify({ assets: [{ name: 'kwok', digest: `sha512:${sum}` }] })],
  ] as const)('fails to be read from %s %s', (format, text) => {
    expect(publishedChecksum(format, text, 'kwok')).toBeUndefined();
  });
});
