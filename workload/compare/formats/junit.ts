import { escapeXml } from '../../results/xml-text.js';
import type { Comparison } from '../compare-runs.js';
import { subjectOf, type Check } from '../gate.js';

/** A case of a JUnit file. */
interface Case {
  readonly kind: string;
  readonly name: string;
  /** Undefined: it passed. */
  readonly failure?: string | undefined;
}

/** A comparison as JUnit: a case per threshold, or per value that has a direction. */
export function comparisonJunit(comparison: Comparison): string {
  const { changes, checks, before, after } = comparison;
  const judged = changes.filter((change) => change.direction !== 'neutral');
  const own = judged.map(({ series, state, lost }): Case => {
    const failed = state === 'worse' || state === 'gone' || lost.length > 0;
    const text = state === 'worse' ? 'worse than before' : 'gone in some or all places';
    return { kind: 'value', name: subjectOf(series), failure: failed ? text : undefined };
  });
  const cases = checks.length > 0 ? checks.map(checkCase) : own;
  return document(`meshscale compare ${before.run} ${after.run}`, cases);
}

/** The outcome of a gate as JUnit: a case for the run's own verdict, and one for each threshold. */
export function gateJunit(run: string, verdict: string, checks: readonly Check[]): string {
  const good = ['pass', 'not-applicable', 'none'].includes(verdict);
  const own: Case = { kind: 'verdict', name: 'verdict', failure: good ? undefined : verdict };
  return document(`meshscale gate ${run}`, [own, ...checks.map(checkCase)]);
}

function checkCase({ subject, op, limit, unit, state, text }: Check): Case {
  const name = `${subject} ${op} ${limit ?? ''} ${unit}`.trim();
  return { kind: 'threshold', name, failure: state === 'held' ? undefined : text };
}

function document(name: string, cases: readonly Case[]): string {
  const failures = cases.filter((one) => one.failure !== undefined).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escapeXml(name)}" tests="${cases.length}" failures="${failures}" errors="0">`,
    ...cases.map(({ kind, name: own, failure }) => {
      const head = `  <testcase classname="${kind}" name="${escapeXml(own)}"`;
      return failure === undefined
        ? `${head}/>`
        : `${head}><failure message="${escapeXml(failure)}"/></testcase>`;
    }),
    '</testsuite>',
    '',
  ].join('\n');
}
