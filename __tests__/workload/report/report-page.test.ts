import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { reportPage } from '../../../workload/report/html-page.js';
import { html } from '../../../workload/report/html.js';
import { loadReport } from '../../../workload/report/load-report.js';
import { writeResults } from '../../../workload/report/write-results.js';
import { readJunit } from '../../../workload/results/junit-in.js';
import { SAMPLE_TIMESTAMP, writeSampleRun, type SampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

describe('the report of a run', () => {
  it('answers first: good or not, why, what next', async () => {
    const { page } = await pageOf({ fates: ['good', 'failed', 'missing'] });
    const order = [
      'Did not run to its end',
      'mesh-002 did not answer',
      'What next:',
      'id="mesh"',
      'id="timeline"',
      'id="propagation"',
      'id="load"',
      'id="control-plane"',
      'id="coverage"',
      'id="limits"',
      'id="files"',
    ];
    const places = order.map((text) => page.indexOf(text));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });

  it.each([
    ['Good enough', { fates: ['good', 'good'] }],
    ['Not good enough', { fates: ['good', 'good'], limit: '1ms' }],
    ['Cannot be judged', { fates: ['good', 'weak'] }],
  ] as const)('says "%s"', async (answer, run) => {
    const { page, summary } = await pageOf(run);
    expect(page).toContain(`<strong>${answer}</strong>`);
    expect(summary).toContain(answer);
  });

  it('needs nothing from outside: no script, no address, no absolute path', async () => {
    const { page, root } = await pageOf({ fates: ['good', 'good', 'failed'] });
    expect(page).not.toMatch(/<script|https?:\/\/|@import|url\(/i);
    expect(page).not.toContain(root);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => /^([a-z]+:(?!,)|\/)/.test(link.replace(/^data:,$/, '')))).toEqual(
      [],
    );
  });

  it('has no name for two elements', async () => {
    const { page } = await pageOf({ fates: ['good', 'good', 'failed'] });
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('shows every cluster, both directions of each pair, and what the target cannot show', async () => {
    const { page } = await pageOf({ fates: ['good', 'good'] });
    expect(page).toContain('mesh-001 → mesh-002');
    expect(page).toContain('mesh-002 → mesh-001');
    expect(page).toContain('Pods have no network');
    expect(page).toContain('needs cilium-agent');
  });

  it('holds what was exported, and not what the engine wrote, against the limiter', async () => {
    const { page } = await pageOf({ fates: ['good', 'good'] });
    const load = page.slice(page.indexOf('id="load"'), page.indexOf('id="control-plane"'));
    const [written = '', exported = ''] = load.split('<h3>Exported by each cluster');
    expect(written).toContain('Phase burst, changes/s');
    expect(written).not.toContain('class="ceiling"');
    expect(exported).toContain('14.2/s, peak 19.6');
    expect(exported).toContain('limit of exporter 20/s');
  });

  it('is below 1 MB for 60 clusters of which some are lost', async () => {
    const fates = Array.from({ length: 60 }, (_, index) =>
      index % 9 === 8 ? ('missing' as const) : ('good' as const),
    );
    const { page } = await pageOf({ fates, probesPerPair: 1 });
    expect(Buffer.byteLength(page)).toBeLessThan(1024 * 1024);
  }, 60_000);

  it('can be made again after the folder was moved, and is the same', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(join(root, 'a'), { fates: ['good', 'good'] });
      await writeResults(join(root, 'a'), { timestamp: SAMPLE_TIMESTAMP });
      const first = await readFile(join(root, 'a', 'report.html'), 'utf8');
      await rename(join(root, 'a'), join(root, 'b'));
      const again = reportPage(await loadReport(join(root, 'b')));
      // The first page could not list the files that were written after it.
      const body = (page: string) => page.slice(0, page.indexOf('<section id="files"'));
      expect(body(again)).toBe(body(first));
    });
  });

  it('writes a junit file with a case per rule and per cluster', async () => {
    const { junit } = await pageOf({ fates: ['good', 'failed'] });
    expect(readJunit(junit)).toMatchObject({ state: 'read', cases: 6 });
  });
});

it('text in a template never becomes markup', () => {
  expect(html`<p>${'<script>"&'}</p>`.markup).toBe('<p>&lt;script&gt;&quot;&amp;</p>');
});

async function pageOf(run: SampleRun) {
  return await withTemporaryFolder(async (root) => {
    await writeSampleRun(root, run);
    const { summary } = await writeResults(root, { timestamp: SAMPLE_TIMESTAMP });
    const page = await readFile(join(root, 'report.html'), 'utf8');
    return { root, page, summary, junit: await readFile(join(root, 'junit.xml'), 'utf8') };
  });
}
