import type { Judgement, RunVerdict } from '../../model/verdict.js';
import { escapeXml } from '../results/xml-text.js';

/**
 * The verdict as JUnit, for CI viewers: one case per rule and per cluster. `fail` is a failure,
 * `invalid` and `error` are errors, `not-applicable` is skipped.
 */
export function verdictJunit(verdict: RunVerdict): string {
  const cases = [
    ...verdict.rules.map(({ id, state, text }) => testCase('rule', id, ruleBody(state, text))),
    ...verdict.clusters.map(({ cluster, judgement }) =>
      testCase('cluster', cluster, clusterBody(judgement)),
    ),
  ];
  const count = (name: string) => cases.filter((one) => one.includes(`<${name} `)).length;
  const numbers = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escapeXml(`meshscale ${verdict.scenario}`)}" ${numbers}>`,
    `  <properties><property name="run" value="${escapeXml(verdict.runId)}"/><property name="verdict" value="${verdict.judgement.verdict}"/></properties>`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}

function testCase(kind: string, name: string, body: string): string {
  const head = `  <testcase classname="${kind}" name="${escapeXml(name)}"`;
  return body === '' ? `${head}/>` : `${head}>${body}</testcase>`;
}

function ruleBody(state: RunVerdict['rules'][number]['state'], text: string): string {
  switch (state) {
    case 'held':
      return '';
    case 'broken':
      return `<failure message="${escapeXml(text)}"/>`;
    case 'not-judged':
      return `<error message="${escapeXml(text)}"/>`;
    case 'not-applicable':
      return `<skipped message="${escapeXml(text)}"/>`;
  }
}

function clusterBody(judgement: Judgement): string {
  const text = judgement.reasons.map((reason) => reason.text).join('\n');
  const [first = judgement.verdict] = text.split('\n');
  switch (judgement.verdict) {
    case 'pass':
      return '';
    case 'fail':
      return `<failure message="${escapeXml(first)}">${escapeXml(text)}</failure>`;
    case 'invalid':
    case 'error':
      return `<error type="${judgement.verdict}" message="${escapeXml(first)}">${escapeXml(text)}</error>`;
    case 'not-applicable':
      return `<skipped message="${escapeXml(first)}"/>`;
  }
}
