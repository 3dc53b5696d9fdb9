import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FakeConfig } from './config.js';
import type { ScriptedEnding } from './ending.js';
import type { Cl2Flags } from './flags.js';
import { exitFatal, type Klog } from './klog.js';
import { junitOf, writeSummaries } from './report.js';
import type { RanSteps } from './run-steps.js';

/** Writes what a test leaves, in the order in which the real one does, and ends the process. */
export async function endTest(
  { reportDir, testconfig }: Cl2Flags,
  { name }: FakeConfig,
  { cases, summaries, refused }: RanSteps,
  { ending }: ScriptedEnding,
  klog: Klog,
): Promise<never> {
  if (ending === 'nothing') process.exit(0);
  const kept = ending === 'silent-loss' ? summaries.slice(1) : summaries;
  await writeSummaries(reportDir, name, kept);
  const told = ending === 'half-report' ? cases.slice(0, -2) : cases;
  const text =
    refused === undefined
      ? junitOf(name, testconfig, told)
      : junitOf(name, testconfig, []).replace(
          '</testcase>',
          `<failure type="Failure">:0&#xA;[${refused}]&#xA;:0</failure></testcase>`,
        );
  const junit = ending === 'torn-report' ? text.slice(0, text.length / 2) : text;
  await writeFile(join(reportDir, 'junit.xml'), junit);
  process.stdout.write(`JUnit report was created: ${join(reportDir, 'junit.xml')}\n`);
  const failed = refused !== undefined || cases.some(({ errors }) => errors.length > 0);
  const say = failed ? klog.error : klog.info;
  say('Test Finished');
  say(`  Test: ${testconfig}`);
  say(`  Status: ${failed ? 'Fail' : 'Success'}`);
  if (failed) exitFatal('1 tests have failed!');
  process.exit(0);
}
