import type { Milliseconds } from '../../model/quantity.js';
import { escapeXml } from './xml-text.js';

/** One step of an attempt. */
export interface ReportStep {
  /** `create`, `wait running`. */
  readonly title: string;
  /** Set for a step that measures: ClusterLoader2 then names the measurement in the case. */
  readonly identifier?: string | undefined;
  readonly duration: Milliseconds;
  /** What went wrong, one text each. @default - the step passed */
  readonly failures?: readonly string[] | undefined;
}

/** A `junit.xml` as ClusterLoader2 writes it. @see data/clusterloader2.md §4.4 */
export function junitText(content: {
  readonly test: string;
  readonly source: string;
  readonly duration: Milliseconds;
  readonly steps: readonly ReportStep[];
}): string {
  const { test, source, duration, steps } = content;
  const all = steps.flatMap((step) => step.failures ?? []);
  const cases = steps.map((step, index) => stepCase(test, step, index));
  const failing = steps.filter((step) => (step.failures ?? []).length > 0).length;
  const failures = failing + (failing > 0 ? 1 : 0);
  const time = seconds(duration);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `  <testsuite name="ClusterLoaderV2" tests="0" failures="${failures}" errors="0" time="${time}">`,
    testCase(`${test} overall (${source})`, duration, all),
    ...cases,
    '  </testsuite>',
    '',
  ].join('\n');
}

function stepCase(test: string, step: ReportStep, index: number): string {
  const number = String(index + 1).padStart(2, '0');
  const measurement = step.identifier === undefined ? '' : ` [00] - ${step.identifier}`;
  const name = `${test}: [step: ${number}] ${step.title}${measurement}`;
  return testCase(name, step.duration, step.failures ?? []);
}

function testCase(name: string, duration: Milliseconds, failures: readonly string[]): string {
  const head = `      <testcase name="${escapeXml(name)}" classname="ClusterLoaderV2" time="${seconds(duration)}"`;
  if (failures.length === 0) return `${head}></testcase>`;
  const text = escapeXml(`:0\n[${failures.join('\n')}]\n:0`);
  return `${head}>\n          <failure type="Failure">${text}</failure>\n      </testcase>`;
}

function seconds(duration: Milliseconds): string {
  return (duration / 1000).toFixed(3);
}
