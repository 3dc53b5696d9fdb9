import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type BrowserContext } from '@playwright/test';
import { writeResults } from '../../workload/report/write-results.js';
import { SAMPLE_TIMESTAMP, writeSampleRun, type SampleFate } from '../helpers/sample-run.js';

const CHROMIUM = process.env['MESHSCALE_TEST_CHROMIUM'] ?? '/usr/bin/chromium';

const RUNS: Readonly<Record<string, readonly SampleFate[]>> = {
  'all green': ['good', 'good'],
  'one failed': ['good', 'failed', 'good'],
  'half missing': ['good', 'missing', 'good', 'missing', 'weak', 'missing'],
};

const LOOKS = [390, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

describe('the report in a browser', () => {
  let folder: string;
  let browser: BrowserContext;

  beforeAll(async () => {
    await access(CHROMIUM).catch(() => {
      throw new Error(
        `There is no Chromium at ${CHROMIUM}. Install it (Debian: apt-get install chromium) or set MESHSCALE_TEST_CHROMIUM.`,
      );
    });
    folder = await mkdtemp(join(tmpdir(), 'meshscale-report-'));
    for (const [name, fates] of Object.entries(RUNS)) {
      await writeSampleRun(join(folder, name), { fates });
      await writeResults(join(folder, name), { timestamp: SAMPLE_TIMESTAMP });
    }
    browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  }, 120_000);

  afterAll(async () => {
    await (browser as BrowserContext | undefined)?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(
    Object.keys(RUNS).flatMap((run) => LOOKS.map(({ width, scheme }) => ({ run, width, scheme }))),
  )(
    '$run at $width px, $scheme: fits, asks for nothing, complains about nothing, is accessible',
    async ({ run, width, scheme }) => {
      const page = await browser.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      await page.emulateMedia({ colorScheme: scheme });
      const address = pathToFileURL(join(folder, run, 'report.html')).href;
      await page.goto(address);

      expect(complaints).toEqual([]);
      expect(requests.filter((url) => url !== address && !url.startsWith('data:'))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const next = await page.locator('.next').boundingBox();
      expect((next?.y ?? Infinity) + (next?.height ?? 0)).toBeLessThan(width < 500 ? 844 : 900);

      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) =>
        ['serious', 'critical'].includes(impact ?? ''),
      );
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
      await page.close();
    },
    60_000,
  );
});
