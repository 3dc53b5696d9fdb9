import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { junitPassed, readJunit } from '../../../workload/results/junit-in.js';
import { parseLenientJson } from '../../../workload/results/lenient-json.js';
import { readPerfFile } from '../../../workload/results/perf-data.js';
import { junitText } from '../../../workload/results/report-junit.js';
import { escapeXml } from '../../../workload/results/xml-text.js';

describe('a junit file', () => {
  it('counts errors although failures are 0', () => {
    const junit = readJunit('<testsuite errors="1"><testcase name="a"/></testsuite>');
    expect(junitPassed(junit)).toBe(false);
  });

  it('counts the failures of suites inside of suites, however they are nested', () => {
    const inner = '<testsuite><testcase name="a"><failure/></testcase></testsuite>';
    expect(readJunit(`<testsuite>${inner}</testsuite>`)).toMatchObject({ failures: 1, cases: 1 });
    const deep = `${'<testsuites><testsuite>'.repeat(30)}${inner}${'</testsuite></testsuites>'.repeat(30)}`;
    expect(readJunit(deep)).toMatchObject({ failures: 1, cases: 1 });
  });

  it('counts the failures of every suite', () => {
    const text = '<testsuites><testsuite failures="0"/><testsuite failures="2"/></testsuites>';
    expect(readJunit(text)).toMatchObject({ state: 'read', failures: 2 });
  });

  it.each([
    ['<failure/>', ''],
    ['<failure message="a &lt; b"/>', 'a < b'],
    ['<failure>:0&#xA;[one&#xA;two]&#xA;:0</failure>', 'one\ntwo'],
    ['<failure><![CDATA[x < y]]></failure>', 'x < y'],
  ])('reads the text of %s', (failure, text) => {
    const junit = readJunit(`<testsuite><testcase name="a">${failure}</testcase></testsuite>`);
    expect(junit).toMatchObject({ failures: 1, failing: [{ name: 'a', text }] });
  });

  it.each([
    ['cut off', '<testsuite><testcase name="a">'],
    ['crossed', '<testsuite><testcase></testsuite></testcase>'],
    ['empty', ''],
    ['no XML', 'hello'],
    ['another document', '<html></html>'],
    ['with entities', '<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>'],
  ])('fails when it is %s', (_, text) => {
    expect(readJunit(text).state).toBe('malformed');
  });

  it('reads back what we write, whatever stands in names and texts', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((s) => s.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, 'x').trim());
    fc.assert(
      fc.property(text, text, (title, failure) => {
        const step = { title, duration: 5, failures: [`${failure}.`] };
        const written = junitText({ test: 't', source: 's', duration: 5, steps: [step] });
        const junit = readJunit(written);
        expect(junit).toMatchObject({ state: 'read', tests: ['t'], cases: 2, failures: 2 });
        expect(junit).toMatchObject({
          failing: [{ name: 't overall (s)' }, { name: `t: [step: 01] ${title}` }],
        });
      }),
    );
  });

  it('never throws, whatever the bytes', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'testsuite',
      'testcase',
      ' name="',
      '"',
      '&#x',
      ';',
      '<!--',
      ']]>',
      '<![CDATA[',
      '?',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => {
        expect(['read', 'malformed']).toContain(readJunit(parts.join('')).state);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a measurement file', () => {
  it('gives null for NaN and Infinity and names their places', () => {
    const file = readPerfFile(
      '{"dataItems":[{"data":{"a":NaN,"b":-Infinity,"c":1e999,"d":"NaN","e":2},"unit":"s"}]}',
    );
    expect(file).toMatchObject({
      kind: 'items',
      items: [{ data: { a: null, b: null, c: null, d: null, e: 2 }, unit: 's' }],
    });
    expect(file.kind === 'items' && file.repaired).toHaveLength(4);
  });

  it('leaves the word NaN inside texts alone', () => {
    expect(parseLenientJson('{"a": "NaN \\" Infinity", "b": NaN}')).toMatchObject({
      value: { a: 'NaN " Infinity', b: null },
    });
  });

  it.each(['{"dataItems":null}', '{"dataItems":[]}'])('has no items in %s', (text) => {
    expect(readPerfFile(text)).toMatchObject({ kind: 'items', items: [] });
  });

  it.each(['', '{"dataItems":[{', '{"dataItems":7}', `${'['.repeat(5000)}${']'.repeat(5000)}`])(
    'fails with a reason on %#',
    (text) => {
      expect(readPerfFile(text)).toMatchObject({ kind: 'malformed', reason: expect.any(String) });
    },
  );

  it('never throws, and never gives a number that is not finite', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"dataItems"',
      ':',
      ',',
      'NaN',
      'Infinity',
      '1e999',
      '"',
      'null',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => {
        const file = readPerfFile(parts.join(''));
        JSON.stringify(file, (_, value: unknown) => {
          if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
          return value;
        });
      }),
      { numRuns: 2000 },
    );
  });
});

it('escaped text holds no markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeXml(text)).not.toMatch(/[<>"']/);
    }),
  );
});
