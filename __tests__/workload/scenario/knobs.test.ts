import { describe, expect, it } from '@jest/globals';
import type { Scenario } from '../../../model/scenario-spec.js';
import { applyKnobs } from '../../../workload/scenario/knobs.js';

const about = { source: 'chosen', doc: 'doc' };
const scenario: Pick<Scenario, 'name' | 'knobs'> = {
  name: 'small',
  knobs: {
    replicas: { unit: 'count', default: 10, min: 1, max: 500, ...about },
    hold: { unit: 'duration', default: '2m', min: '10s', max: '1h', ...about },
    rate: { unit: 'per-second', default: 20, min: 0.1, max: 1000, ...about },
  },
};

describe('setting knobs', () => {
  it('keeps the defaults and says which knobs were set', () => {
    expect(applyKnobs(scenario, ['hold=90s', 'rate=2.5'])).toEqual({
      ok: true,
      knobs: {
        replicas: { value: 10, set: false },
        hold: { value: '90s', set: true },
        rate: { value: 2.5, set: true },
      },
    });
  });

  it('lets the last of several values win', () => {
    const applied = applyKnobs(scenario, ['replicas=1', 'replicas=2']);
    expect(applied.ok ? applied.knobs['replicas'] : undefined).toEqual({ value: 2, set: true });
  });

  it.each([
    ['a duration without unit', 'hold=90', 'a duration with its unit from 10s to 1h'],
    ['a duration beyond its bounds', 'hold=2h', 'a duration with its unit from 10s to 1h'],
    ['a part of a pod', 'replicas=1.5', 'a whole number from 1 to 500'],
    ['too many', 'replicas=501', 'a whole number from 1 to 500'],
    ['a unit where none is due', 'rate=20/s', 'a number per second from 0.1 to 1000'],
    ['nothing', 'replicas=', 'a whole number from 1 to 500'],
    ['a number in disguise', 'replicas=0x10', 'a whole number from 1 to 500'],
  ])('fails on %s with what was given and what would be right', (_, setting, expected) => {
    const applied = applyKnobs(scenario, [setting]);
    const [error] = applied.ok ? [] : applied.errors;
    expect(error).toMatchObject({
      code: 'run/bad-knob-value',
      given: setting.slice(setting.indexOf('=') + 1),
      expected,
      exit: 'bad-input',
    });
  });

  it('fails on an unknown knob with the nearest one, and on text without a value, all at once', () => {
    const applied = applyKnobs(scenario, ['replica=2', 'hold', 'toString=1']);
    expect(applied.ok ? [] : applied.errors).toMatchObject([
      { code: 'run/unknown-knob', expected: 'replicas' },
      { code: 'run/bad-set' },
      { code: 'run/unknown-knob' },
    ]);
  });
});
