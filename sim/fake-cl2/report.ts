import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../workload/platform/clock.js';
import { escapeXml } from '../../workload/results/xml-text.js';

/** A case of `junit.xml`. */
export interface FakeCase {
  readonly name: string;
  readonly seconds: number;
  readonly errors: readonly string[];
}

/** A summary that a measurement gave. */
export interface FakeSummary {
  readonly name: string;
  readonly data: object;
}

/** Writes the summaries, all of them at the end of a test. @see data/clusterloader2.md §4.1 */
export async function writeSummaries(
  folder: string,
  test: string,
  summaries: readonly FakeSummary[],
): Promise<void> {
  const stamp = new Date(systemClock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  for (const { name, data } of summaries) {
    const file = join(folder, `${name}_${test}_${stamp}.json`);
    await writeFile(file, JSON.stringify(data, undefined, 2));
  }
}

/** The text of `junit.xml` as Ginkgo's writer gives it: `tests` is always 0. */
export function junitOf(test: string, config: string, cases: readonly FakeCase[]): string {
  const errors = cases.flatMap((one) => one.errors);
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0);
  const overall = { name: `${test} overall (${config})`, seconds, errors };
  const all = [overall, ...cases];
  const failures = all.filter((one) => one.errors.length > 0).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `  <testsuite name="ClusterLoaderV2" tests="0" failures="${failures}" errors="0" time="${seconds}">`,
    ...all.map(caseText),
    '  </testsuite>',
  ].join('\n');
}

function caseText({ name, seconds, errors }: FakeCase): string {
  const head = `      <testcase name="${escapeXml(name)}" classname="ClusterLoaderV2" time="${seconds}">`;
  if (errors.length === 0) return `${head}</testcase>`;
  const text = escapeXml(`:0\n[${errors.join('\n')}]\n:0`).replaceAll('\n', '&#xA;');
  return `${head}\n          <failure type="Failure">${text}</failure>\n      </testcase>`;
}
