import { describe, expect, it } from '@jest/globals';
import type { ReportModel } from '../../../workload/report/report-model.js';
import { loadReport } from '../../../workload/report/load-report.js';
import {
  answerText,
  caveatText,
  meaningText,
  nextSteps,
  verdictFacts,
  whyText,
} from '../../../workload/report/words.js';
import { writeResults } from '../../../workload/report/write-results.js';
import { SAMPLE_TIMESTAMP, writeSampleRun, type SampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

describe('the first screen', () => {
  it('of a run that lost a cluster names it, and what the others showed', async () => {
    const model = await modelOf({ fates: ['good', 'failed', 'good'] });
    expect(answerText(model)).toBe('Did not run to its end everywhere');
    expect(whyText(model)).toBe(
      'The API server of mesh-002 did not answer for 60 s during the burst.',
    );
    expect(verdictFacts(model).map(({ value, tone }) => [value, tone])).toEqual([
      ['2 of 3', 'bad'],
      [expect.stringContaining('ms'), 'good'],
      ['50 %', 'bad'],
    ]);
    expect(nextSteps(model)).toEqual(['read clusters/mesh-002/attempt-1/engine.log']);
  });

  it('of a run without any cluster does not say that some ran', async () => {
    expect(answerText(await modelOf({ fates: ['failed', 'missing'] }))).toBe(
      'Did not run to its end',
    );
  });

  it('of a slow mesh puts the rule that was missed first, with its limit', async () => {
    const model = await modelOf({ fates: ['good', 'good'], limit: '15ms' });
    expect(meaningText(model)).toBe('measured, and a rule is missed');
    expect(verdictFacts(model)[0]).toMatchObject({ tone: 'bad', state: '✕ missed' });
    expect(whyText(model)).toMatch(/^Propagation p99 of probes “changes”: .+, asked ≤ 15 ms\.$/);
  });

  it('of a weak load says by how much, and what to change', async () => {
    const model = await modelOf({ fates: ['good', 'weak'] });
    expect(verdictFacts(model)[0]).toMatchObject({ value: '56 %', tone: 'bad' });
    expect(nextSteps(model)[0]).toContain('ask for less');
  });

  it('of a good run says what it leaves open, and how to find the headroom', async () => {
    const model = await modelOf({ fates: ['good', 'good'] });
    expect(caveatText(model)).toContain('no packets');
    expect(nextSteps(model)[0]).toContain('meshscale scenarios show first-look');
  });

  it('of clusters elsewhere says so only when none carries packets', () => {
    expect(caveatText({ target: 'kubeconfig', clusters: [] })).toContain('packets');
  });
});

async function modelOf(run: SampleRun): Promise<ReportModel> {
  return await withTemporaryFolder(async (root) => {
    await writeSampleRun(root, run);
    await writeResults(root, { timestamp: SAMPLE_TIMESTAMP });
    return await loadReport(root);
  });
}
