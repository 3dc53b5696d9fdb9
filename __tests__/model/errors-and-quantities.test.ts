import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { errorCatalogue } from '../../model/error-catalogue.js';
import { decidingExit, EXIT_CODES, type ExitWord } from '../../model/exit-codes.js';
import { bytesText, durationText, GIB, MIB, parseDuration } from '../../model/quantity.js';
import {
  placeText,
  throwAll,
  UserError,
  UserErrors,
  userErrorsOf,
} from '../../model/user-error.js';

const words = Object.keys(EXIT_CODES) as ExitWord[];

describe('the exit code', () => {
  it('is one number for each word', () => {
    const codes = words.map((word) => EXIT_CODES[word].code);
    expect(new Set(codes).size).toBe(words.length);
    expect(EXIT_CODES).toMatchObject({
      good: { code: 0 },
      internal: { code: 1 },
      'bad-input': { code: 2 },
      'not-good-enough': { code: 3 },
      'workload-failed': { code: 4 },
      infrastructure: { code: 5 },
      'cannot-judge': { code: 6 },
      leftovers: { code: 7 },
      busy: { code: 8 },
      interrupted: { code: 130 },
      terminated: { code: 143 },
    });
  });

  it('of several is the first of 1, 2, 8, 5, 4, 7, 6, 3, in whatever order they come', () => {
    const order = [1, 2, 8, 5, 4, 7, 6, 3];
    const some = fc.subarray(
      words.filter((word) => order.includes(EXIT_CODES[word].code)),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(some, fc.boolean(), (chosen, backwards) => {
        const first = order.find((code) => chosen.some((word) => EXIT_CODES[word].code === code));
        const given = backwards ? chosen.toReversed() : chosen;
        expect(EXIT_CODES[decidingExit([...given, 'good'])].code).toBe(first);
      }),
    );
  });

  it('is good when nothing was said', () => {
    expect(decidingExit([])).toBe('good');
  });
});

const at = (line: number | undefined, file = 'a.yaml') =>
  new UserError('spec/x', 'bad-input', {
    problem: `p${line ?? ''}`,
    next: 'n',
    where: line === undefined ? { path: 'mesh-20/Aks' } : { file, line },
  });

describe('user errors', () => {
  it('are sorted by place, lines as numbers', () => {
    const errors = new UserErrors([at(10), at(9), at(1, 'b.yaml')]);
    expect(errors.errors.map(({ where }) => where && placeText(where))).toEqual([
      'a.yaml:9',
      'a.yaml:10',
      'b.yaml:1',
    ]);
    expect(placeText({ path: 'mesh-20/Aks' })).toBe('mesh-20/Aks');
  });

  it('are thrown all together, one alone, none not at all', () => {
    expect(() => {
      throwAll([]);
    }).not.toThrow();
    expect(() => {
      throwAll([at(1)]);
    }).toThrow(UserError);
    expect(() => {
      throwAll([at(1), at(2)]);
    }).toThrow(UserErrors);
  });

  it('are told from defects', () => {
    expect(userErrorsOf(new UserErrors([at(1), at(2)]))).toHaveLength(2);
    expect(userErrorsOf(new Error('defect'))).toEqual([]);
    expect(userErrorsOf('text')).toEqual([]);
  });

  it('take their exit from the catalogue', () => {
    const catalogue = errorCatalogue({ 'mesh/x': { exit: 'busy', meaning: 'm' } });
    const error = catalogue.make('mesh/x', { problem: 'p', next: 'n' });
    expect(error).toMatchObject({ exit: 'busy', code: 'mesh/x', message: 'mesh/x: p' });
  });
});

describe('quantities', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['500ms', 500],
    ['1.5s', 1_500],
  ])('read %s as %i ms', (text, milliseconds) => {
    expect(parseDuration(text)).toEqual({ ok: true, milliseconds });
  });

  it.each(['90', '', 's', '-1s', '1 h', '1d', '1s2s'])('fail for the duration "%s"', (text) => {
    expect(parseDuration(text).ok).toBe(false);
  });

  it('are shown in the unit that people read', () => {
    expect([0, 850, 12_345, 119_999, 245_000, 3_599_600].map(durationText)).toEqual([
      '0 ms',
      '850 ms',
      '12.3 s',
      '120.0 s',
      '4 min 05 s',
      '60 min 00 s',
    ]);
    expect([640 * MIB, 1.25 * GIB].map(bytesText)).toEqual(['640 MiB', '1.3 GiB']);
  });
});
