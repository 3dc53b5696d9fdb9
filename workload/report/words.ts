import type { VerdictReason, VerdictWord } from '../../model/verdict.js';
import { countText } from './format.js';
import type { ReportModel } from './report-model.js';

/** The answer to "is it good?", for people. */
const ANSWERS: Readonly<Record<VerdictWord, string>> = {
  pass: 'Good enough',
  fail: 'Not good enough',
  invalid: 'Cannot be judged',
  error: 'Did not run to its end',
  'not-applicable': 'Does not apply here',
};

/** What each verdict means, beside its word. */
const MEANINGS: Readonly<Record<VerdictWord, string>> = {
  pass: 'measured, and every rule holds',
  fail: 'measured, and a rule is missed',
  invalid: 'loaded or measured too poorly to say',
  error: 'what did not run cannot be judged',
  'not-applicable': 'this target cannot show it',
};

/** The answer in its shortest form; a run of which some clusters came to their end says so. */
export function answerText({ verdict }: Pick<ReportModel, 'verdict'>): string {
  if (wasInterrupted(verdict)) return 'Interrupted';
  const word = verdict.judgement.verdict;
  const some = verdict.clusters.some((one) => one.judgement.verdict !== 'error');
  return word === 'error' && some ? `${ANSWERS.error} everywhere` : ANSWERS[word];
}

/** What that answer means. */
export function meaningText({ verdict }: Pick<ReportModel, 'verdict'>): string {
  if (wasInterrupted(verdict)) return 'stopped before its end; what was measured is kept';
  return MEANINGS[verdict.judgement.verdict];
}

/** Somebody ended it, and nothing else was wrong. */
function wasInterrupted({ judgement }: ReportModel['verdict']): boolean {
  const { verdict, reasons } = judgement;
  return verdict === 'error' && reasons.every(({ code }) => code === 'interrupted');
}

/** What a good answer from this target leaves open; undefined when its clusters carry packets. */
export function caveatText(model: Pick<ReportModel, 'target' | 'clusters'>): string | undefined {
  if (model.target === 'local') {
    return 'Made on one machine: real control planes and mesh, but no packets, eBPF or real agents.';
  }
  const datapath = model.clusters.some((cluster) => cluster.facts?.datapath === true);
  return datapath ? undefined : 'No cluster of this run carries packets.';
}

/** One of the three facts behind the verdict. */
export interface VerdictFact {
  readonly tone: 'good' | 'bad' | 'warn' | 'neutral';
  readonly state: string;
  readonly value: string;
  readonly text: string;
}

type Judged = Pick<ReportModel, 'verdict' | 'coverage'>;

/** Why the verdict is what it is, in one sentence. */
export function whyText({ verdict }: Pick<ReportModel, 'verdict'>): string {
  const { judgement, rules, clusters } = verdict;
  const [first, ...others] = groupedReasons(judgement.reasons);
  if (first === undefined) {
    const held = rules.filter((rule) => rule.state === 'held').length;
    if (judgement.verdict === 'pass') {
      return `All ${countText(clusters.length, 'cluster')} finished, and ${held === rules.length ? 'every rule' : `${held} of ${rules.length} rules`} of the scenario held.`;
    }
    return 'No cluster of this target can show what the scenario asks.';
  }
  const more = others.length === 0 ? '' : ` And ${countText(others.length, 'more reason')} below.`;
  return `${first.text}.${more}`.replace(/\.\.(?= |$)/, '.');
}

/** The three facts that explain the verdict best: what is wrong first, then what was shown. */
export function verdictFacts(model: Judged): readonly VerdictFact[] {
  const { rules, judgement } = model.verdict;
  const byKind = [...rules].sort((a, b) => rank(a.kind) - rank(b.kind));
  const of = (state: (typeof rules)[number]['state']) =>
    byKind.filter((one) => one.state === state);
  // What broke with a lost cluster says nothing new: what the others showed does.
  const ordered =
    judgement.verdict === 'error'
      ? byKind.filter((rule) => rule.state !== 'not-applicable')
      : [...of('broken'), ...of('not-judged'), ...of('held')];
  const ranked = ordered.map(ruleFact);
  const clusters = clusterFact(model);
  const facts =
    clusters.tone === 'bad'
      ? [clusters, ...ranked]
      : [...ranked.slice(0, 2), clusters, ...ranked.slice(2)];
  return [...facts, coverageFact(model)].slice(0, 3);
}

/** What to do now: the advice of the deciding reasons, or the next step after a good run. */
export function nextSteps({ verdict }: Pick<ReportModel, 'verdict'>): readonly string[] {
  const advice = verdict.judgement.reasons.flatMap((reason) => reason.next ?? []);
  if (advice.length > 0) return [...new Set(advice)].slice(0, 3);
  if (wasInterrupted(verdict)) return [`run it again: meshscale run ${verdict.scenario}`];
  switch (verdict.judgement.verdict) {
    case 'pass':
      return [
        `raise the load until a rule breaks, that is your headroom: meshscale scenarios show ${verdict.scenario} lists the knobs`,
      ];
    case 'error':
      return [
        'read the log of the failed cluster (clusters/ in the run folder), then run the scenario again',
      ];
    case 'invalid':
      return ['repair what is missing (coverage, below) and run again'];
    case 'fail':
      return ['see the section of the broken rule, below'];
    case 'not-applicable':
      return [
        `run it on a target that has what it needs: meshscale scenarios show ${verdict.scenario}`,
      ];
  }
}

/** Reasons that differ only by their cluster, told once. */
export interface ReasonGroup {
  readonly code: string;
  readonly text: string;
  readonly clusters: readonly string[];
  readonly next: string | undefined;
}

/** Groups reasons that say the same of several clusters; the most frequent comes first. */
export function groupedReasons(reasons: readonly VerdictReason[]): readonly ReasonGroup[] {
  const groups = new Map<string, { first: VerdictReason; clusters: string[] }>();
  for (const reason of reasons) {
    const without = reason.text.replaceAll(reason.cluster ?? '\u0000', '…');
    const key = JSON.stringify([reason.code, without]);
    const group = groups.get(key) ?? { first: reason, clusters: [] };
    if (reason.cluster !== undefined) group.clusters.push(reason.cluster);
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort(
      (a, b) => vagueness(a.first) - vagueness(b.first) || b.clusters.length - a.clusters.length,
    )
    .map(({ first, clusters }) => ({
      code: first.code,
      text: textWithClusters(first, clusters),
      clusters,
      next: first.next,
    }));
}

/** Reasons that only say that something is not there come after those that say why. */
function vagueness({ code }: VerdictReason): number {
  return ['no-attempt', 'no-outcome', 'no-junit', 'value-missing'].includes(code) ? 1 : 0;
}

function textWithClusters(reason: VerdictReason, clusters: readonly string[]): string {
  const [only] = clusters;
  if (only === undefined) return capital(reason.text);
  if (clusters.length === 1 && reason.text.includes(only)) return capital(reason.text);
  const named = clusters.slice(0, 3).join(', ');
  return clusters.length > 3
    ? `${clusters.length} clusters (${named}, …): ${reason.text}`
    : `${named}: ${reason.text}`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const RANK = ['propagation', 'seen', 'value', 'stimulus', 'replaced', 'coverage'];

function rank(kind: string): number {
  return RANK.indexOf(kind);
}

function ruleFact(rule: ReportModel['verdict']['rules'][number]): VerdictFact {
  const [subject = '', said = ''] = rule.text.split(/: (.*)/s);
  const [value = '', asked = ''] = said.split(', asked ');
  const limit = asked === '' ? '' : ` Asked: ${asked}.`;
  const [short = '', place = ''] = value.split(/ (?:at |\()([^)]*)\)?/s);
  const where = ['', 'worst', 'all pairs'].includes(place) ? '' : `, ${place}`;
  const text = `${subject}${where}.${limit}`;
  switch (rule.state) {
    case 'held':
      return { tone: 'good', state: '✓ holds', value: short, text };
    case 'broken':
      return { tone: 'bad', state: '✕ missed', value: short, text };
    case 'not-judged':
      return { tone: 'warn', state: '? no value', value: 'unknown', text: rule.text };
    case 'not-applicable':
      return { tone: 'neutral', state: 'not applicable', value: '–', text: rule.text };
  }
}

function clusterFact({ verdict }: Judged): VerdictFact {
  const total = verdict.clusters.length;
  const ran = verdict.clusters.filter((one) => one.judgement.verdict !== 'error').length;
  const failed = verdict.clusters.filter((one) => one.judgement.verdict === 'error');
  const named = failed
    .slice(0, 3)
    .map((one) => one.cluster)
    .join(', ');
  const value = `${ran} of ${total}`;
  if (failed.length === 0) {
    return { tone: 'good', state: '✓ complete', value, text: 'Clusters that ran to their end.' };
  }
  const text = `Clusters that ran to their end. Not: ${named}${failed.length > 3 ? ' …' : ''}.`;
  return { tone: 'bad', state: '✕ incomplete', value, text };
}

function coverageFact({ coverage }: Judged): VerdictFact {
  const counts = coverage.clusters.flatMap((one) => one.measurements.map((m) => m.count));
  const expected = counts.reduce((sum, count) => sum + count.expected, 0);
  const present = counts.reduce((sum, count) => sum + count.present, 0);
  const whole = present >= expected;
  return {
    tone: whole ? 'good' : 'warn',
    state: whole ? '✓ complete' : '! incomplete',
    value: `${present} of ${expected}`,
    text: 'Measured values that are there.',
  };
}
