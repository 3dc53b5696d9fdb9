import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { combineJudgements, exitOf, type Judgement } from '../../model/verdict.js';

const judgement = fc.oneof(
  fc.constantFrom<Judgement>(
    { verdict: 'pass', reasons: [] },
    { verdict: 'fail', reasons: [{ code: 'slow', text: 'slow' }] },
    { verdict: 'invalid', reasons: [{ code: 'weak', text: 'weak' }] },
    { verdict: 'error', cause: 'workload-failed', reasons: [{ code: 'crash', text: 'crash' }] },
    { verdict: 'error', cause: 'infrastructure', reasons: [{ code: 'gone', text: 'gone' }] },
    { verdict: 'not-applicable', reasons: [] },
  ),
);

describe('a combined verdict', () => {
  it('is the worst of its parts, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(judgement, { minLength: 1 }), (parts) => {
        const words = ['error', 'invalid', 'fail', 'pass', 'not-applicable'];
        const worst = words.find((word) => parts.some((part) => part.verdict === word));
        expect(combineJudgements(parts).verdict).toBe(worst);
        expect(exitOf(combineJudgements([...parts].reverse()))).toBe(
          exitOf(combineJudgements(parts)),
        );
      }),
    );
  });

  it('keeps only the reasons of the deciding parts', () => {
    const combined = combineJudgements([
      { verdict: 'fail', reasons: [{ code: 'slow', text: 'slow' }] },
      { verdict: 'invalid', reasons: [{ code: 'weak', text: 'weak' }] },
    ]);
    expect(combined.reasons.map((reason) => reason.code)).toEqual(['weak']);
  });

  it('blames the infrastructure as soon as one part does', () => {
    const combined = combineJudgements([
      { verdict: 'error', cause: 'workload-failed', reasons: [] },
      { verdict: 'error', cause: 'infrastructure', reasons: [] },
    ]);
    expect(exitOf(combined)).toBe('infrastructure');
  });

  it('is not-applicable for nothing at all, never a pass', () => {
    expect(combineJudgements([])).toEqual({ verdict: 'not-applicable', reasons: [] });
  });
});
