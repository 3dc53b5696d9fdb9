import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { checkVersioned, readVersioned } from '../../model/versioned-json.js';

const schema = z.strictObject({ schemaVersion: z.literal(2), name: z.string() });

describe('a file with a version', () => {
  it('gives its value when the version is known', () => {
    const value = { schemaVersion: 2, name: 'a' };
    expect(readVersioned(JSON.stringify(value), schema, 2)).toEqual({ state: 'read', value });
  });

  it.each([
    ['{"schemaVersion":3,"later":true}', 'schemaVersion 3'],
    ['{"schemaVersion":"2"}', 'schemaVersion "2"'],
    ['{"name":"a"}', 'no schemaVersion'],
    ['[]', 'no schemaVersion'],
  ])('fails on %s for its version, and not for its fields', (text, given) => {
    expect(readVersioned(text, schema, 2)).toEqual({
      state: 'other-version',
      given,
      known: 'schemaVersion 2',
    });
  });

  it('fails with the place of every field that is wrong', () => {
    const reading = checkVersioned({ schemaVersion: 2, name: 7, more: 1 }, schema, 2);
    expect(reading).toMatchObject({ state: 'broken' });
    expect(reading.state === 'broken' && reading.problems).toHaveLength(2);
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['broken', 'other-version']).toContain(readVersioned(text, schema, 2).state);
      }),
    );
  });
});
