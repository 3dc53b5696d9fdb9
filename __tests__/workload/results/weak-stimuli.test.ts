import { describe, expect, it } from '@jest/globals';
import type { VerdictRule } from '../../../model/scenario-spec.js';
import { stimulusRatio, weakStimuli } from '../../../workload/results/fact-rows.js';
import { attemptOutcomeSchema } from '../../../model/attempt-outcome.js';

const rule = (phase: string, atLeast = 0.9): VerdictRule => ({ rule: 'stimulus', phase, atLeast });

const outcome = attemptOutcomeSchema.parse({
  schemaVersion: 1,
  cluster: 'mesh-001',
  attempt: 1,
  startedAt: '2026-05-15T03:00:00Z',
  endedAt: '2026-05-15T03:02:00Z',
  ending: { state: 'finished' },
  stimuli: [
    { phase: 'load', asked: 20, achieved: 5, unit: 'deployments/s' },
    { phase: 'burst', asked: 20, achieved: 17.9, unit: 'deployments/s' },
    { phase: 'free', asked: null, achieved: 1, unit: 'deployments/s' },
  ],
});

describe('a phase that was loaded too weakly', () => {
  it('spoils the values of its cluster when a rule names it', () => {
    expect(weakStimuli(outcome, [rule('load'), rule('burst')])).toEqual([
      'phase load achieved 25 % of the asked 20 deployments/s, not 90 %',
      'phase burst achieved 89 % of the asked 20 deployments/s, not 90 %',
    ]);
  });

  it('spoils nothing when no rule names it', () => {
    expect(weakStimuli(outcome, [rule('burst', 0.8), { rule: 'coverage', atLeast: 1 }])).toEqual(
      [],
    );
  });

  it('does not exist without a rate to miss', () => {
    expect(weakStimuli(outcome, [rule('free'), rule('nowhere')])).toEqual([]);
    expect(weakStimuli(undefined, [rule('burst')])).toEqual([]);
    expect(stimulusRatio({ phase: 'a', asked: 0, achieved: 0, unit: '' })).toBeUndefined();
  });
});
