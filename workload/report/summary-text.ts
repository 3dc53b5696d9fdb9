import { pairName } from '../../model/cluster-identity.js';
import { timeText } from './format.js';
import type { ReportModel } from './report-model.js';
import { quantiles } from '../../model/percentiles.js';
import {
  answerText,
  caveatText,
  groupedReasons,
  nextSteps,
  verdictFacts,
  whyText,
} from './words.js';

/** The run in a terminal's width: the same answer as the first screen of the report. */
export function summaryText(model: ReportModel): string {
  const { verdict } = model.verdict.judgement;
  const facts = verdictFacts(model).map(
    ({ value, state, text }) => `  ${pad(value, 14)} ${text} (${state.replace(/^\W+\s/, '')})`,
  );
  const reasons = groupedReasons(model.verdict.judgement.reasons).slice(0, MOST_REASONS);
  const caveat = caveatText(model);
  const lines = [
    `${answerText(model)} (${verdict}): ${model.title}`,
    whyText(model),
    '',
    ...facts,
    '',
    ...propagationLines(model),
    ...clusterLines(model),
    ...(reasons.length === 0 ? [] : ['Reasons:']),
    ...reasons.flatMap(({ text, code }) => [`  - ${text} [${code}]`]),
    ...nextSteps(model).map((step) => `Next: ${step}`),
    ...(caveat === undefined ? [] : [`Note: ${caveat}`]),
    `Run:  ${model.runId}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Our choice: what fits a screen; verdict.json has all. */
const MOST_REASONS = 8;
const MOST_PAIRS = 12;

function propagationLines({ links, appeared }: ReportModel): readonly string[] {
  const probes = [...new Set(appeared.map(({ probe }) => probe))];
  const heads = probes.flatMap((probe) => {
    const own = appeared.filter((one) => one.probe === probe);
    const all = quantiles(own.flatMap((one) => one.times));
    if (all === undefined) return [];
    const time = (name: 'p50' | 'p90' | 'p99') => `${name} ${pad(timeText(all[name]), 8)}`;
    const line = `${time('p50')} ${time('p90')} ${time('p99')} max ${timeText(all.max)}`;
    return [`  ${pad(probe, 10)} ${line}`];
  });
  if (heads.length === 0) return [];
  const pairs = [...links]
    .filter((link) => link.asked > 0)
    .sort((a, b) => (b.times?.p99 ?? Infinity) - (a.times?.p99 ?? Infinity))
    .slice(0, MOST_PAIRS)
    .map(({ source, target, times, seen, asked }) => {
      const pair = pad(pairName({ source, reader: target }), 22);
      const text =
        times === undefined
          ? 'none seen'
          : `p50 ${pad(timeText(times.p50), 8)} p99 ${pad(timeText(times.p99), 8)}`;
      return `  ${pair} ${text} ${seen}/${asked} seen`;
    });
  return ['Propagation by probe:', ...heads, 'and by pair, slowest first:', ...pairs, ''];
}

function clusterLines({ clusters }: ReportModel): readonly string[] {
  const bad = clusters.filter((cluster) => cluster.judgement.verdict !== 'pass');
  if (bad.length === 0) return [];
  return [
    'Clusters:',
    ...bad.map(
      ({ role, judgement }) =>
        `  ${pad(role, 10)} ${pad(judgement.verdict, 8)} ${judgement.reasons[0]?.text.split('\n')[0] ?? ''}`,
    ),
    '',
  ];
}

function pad(text: string, width: number): string {
  return text.padEnd(width);
}
