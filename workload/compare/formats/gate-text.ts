import type { Check } from '../gate.js';

/** The outcome of a gate for a terminal. */
export function gateTable(run: string, verdict: string, checks: readonly Check[]): string {
  const lines = checks.map(({ state, text }) => `${state.padEnd(7)} ${text}`);
  return [`${run}: verdict ${verdict}`, ...lines, ...countLine(checks)].join('\n');
}

/** The outcome of a gate for a pull request. */
export function gateMarkdown(run: string, verdict: string, checks: readonly Check[]): string {
  const lines = checks.map(({ state, text }) => `- ${state === 'held' ? '✅' : '❌'} ${text}`);
  return [`**\`${run}\`: verdict ${verdict}**`, '', ...lines, ''].join('\n');
}

function countLine(checks: readonly Check[]): readonly string[] {
  if (checks.length === 0) return [];
  const held = checks.filter(({ state }) => state === 'held').length;
  return [`${held} of ${checks.length} thresholds hold`];
}
