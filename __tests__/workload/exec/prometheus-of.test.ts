import { describe, expect, it } from '@jest/globals';
import { patientOnce } from '../../../workload/exec/prometheus-of.js';
import type { PrometheusAnswer } from '../../../workload/measure/prometheus-source.js';

const GOOD: PrometheusAnswer = { ok: true, series: [] };
const REFUSED: PrometheusAnswer = { ok: false, reason: 'parse error' };
const SILENT: PrometheusAnswer = { ok: false, reason: 'no answer', silent: true };

async function ask(answers: readonly PrometheusAnswer[], times: number) {
  let asked = 0;
  const next = () => Promise.resolve(answers[asked++] ?? GOOD);
  const source = patientOnce({ instant: next, range: next });
  const heard: PrometheusAnswer[] = [];
  for (let time = 0; time < times; time += 1) heard.push(await source.instant('up', 0));
  return { asked, heard };
}

describe('a Prometheus that does not answer', () => {
  it('is asked again after one silence, and after any number of refusals', async () => {
    const answers = [SILENT, GOOD, SILENT, REFUSED, REFUSED, REFUSED];
    expect(await ask(answers, 6)).toEqual({ asked: 6, heard: answers });
  });

  it('is not asked any more after two silences in a row; the reason stays', async () => {
    const { asked, heard } = await ask([GOOD, SILENT, SILENT], 10);
    expect(asked).toBe(3);
    expect(heard.slice(1)).toEqual(Array.from({ length: 9 }, () => SILENT));
  });
});
