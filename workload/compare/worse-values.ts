import { subjectOf, type Check } from './gate.js';
import type { Comparison } from './compare-runs.js';

/** What a comparison without thresholds holds against the later run. */
export function worseValues({ changes }: Comparison): readonly Check[] {
  const judged = changes.filter((change) => change.direction !== 'neutral');
  return judged.flatMap(({ series, state, lost, share }): readonly Check[] => {
    const gone = state === 'gone' || lost.length > 0;
    if (state !== 'worse' && !gone) return [];
    const subject = subjectOf(series);
    const percent = share === undefined ? null : Number((share * 100).toPrecision(3));
    const text = gone ? `${subject} is gone` : `${subject} is worse, by ${percent ?? '?'} %`;
    const common = { subject, text, value: percent, op: '', limit: null, unit: '%' } as const;
    return [{ ...common, state: gone ? 'missing' : 'broken' }];
  });
}
