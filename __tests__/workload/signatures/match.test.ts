import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ALL_SIGNATURES, matchSignature } from '../../../workload/signatures/match.js';

const CORPUS = join(import.meta.dirname, '../../fixtures/signatures');

/** `<class>.log` carries that class; `none-….log` carries none. Blocks are separated by `---`. */
const texts = readdirSync(CORPUS).flatMap((file) =>
  readFileSync(join(CORPUS, file), 'utf8')
    .split(/^---$/m)
    .map((text, index) => ({ name: file.replace('.log', ''), text: text.trim(), index })),
);
const positive = texts.filter(({ name }) => !name.startsWith('none'));
const negative = texts.filter(({ name }) => name.startsWith('none'));

describe('matching failure signatures', () => {
  it.each(positive.map(({ name, index, text }) => [name, index, text] as const))(
    'knows %s (%i)',
    (name, _index, text) => {
      expect(matchSignature(text, { junit: false })?.signature.class).toBe(name);
    },
  );

  it.each(negative.map(({ name, index, text }) => [name, index, text] as const))(
    'finds nothing in %s (%i)',
    (_name, _index, text) => {
      expect(matchSignature(text, { junit: false })?.signature.class).toBeUndefined();
    },
  );

  it('has a log for every class', () => {
    const known = new Set(positive.map(({ name }) => name));
    const without = ALL_SIGNATURES.map((one) => one.class).filter((name) => !known.has(name));
    expect(without).toEqual([]);
  });

  it('names every class once', () => {
    const names = ALL_SIGNATURES.map((one) => one.class);
    expect(new Set(names).size).toBe(names.length);
  });

  it('takes the same words for data once ClusterLoader2 has written its report', () => {
    const text = 'the server is currently unable to handle the request (post namespaces)';
    expect(matchSignature(text, { junit: false })?.signature.class).toBe('api-503');
    expect(matchSignature(text, { junit: true })).toBeUndefined();
  });

  it('gives the line that was found', () => {
    const found = matchSignature('first\nx toomanyrequests: limit y\nlast', { junit: false });
    expect(found?.excerpt).toBe('x toomanyrequests: limit y');
  });
});
