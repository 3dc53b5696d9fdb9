import type { VerdictRule } from '../../model/scenario-spec.js';
import {
  combineJudgements,
  VERDICT_SCHEMA_VERSION,
  type Judgement,
  type RuleOutcome,
  type RunVerdict,
} from '../../model/verdict.js';
import type { Evidence } from './evidence.js';
import { coverageRule, probeRules, replacedRule, stimulusRule, valueRule } from './rules.js';
import type { RuleFinding } from './rule-finding.js';
import type { RunFacts } from './run-facts.js';
import type { ClusterRows } from './to-rows.js';
import { FIXED_MEASUREMENTS, type Row } from '../../model/row.js';

/** Sees every cluster once, in any order, and then judges the run. Keeps only what rules need. */
export interface Judge {
  see(cluster: ClusterRows): void;
  verdict(): RunVerdict;
}

/** Starts judging a run by the rules of its scenario. */
export function startJudging(facts: RunFacts): Judge {
  const clusters: Evidence['clusters'][number][] = [];
  const rows: Row[] = [];
  const kept = neededMeasurements(facts);
  return {
    see: ({ cluster, judgement, coverage, rows: all }) => {
      clusters.push({ cluster, judgement, coverage });
      rows.push(...all.filter((row) => kept.has(row.measurement)));
    },
    verdict: () => judgeRun({ facts, clusters, rows, lines: facts.probes.lines }),
  };
}

function neededMeasurements({ rules, expected }: RunFacts): ReadonlySet<string> {
  const named = rules.flatMap((rule) => (rule.rule === 'value' ? [rule.measurement] : []));
  const byId = expected.filter((one) => named.includes(one.id)).map((one) => one.measurement);
  return new Set([...named, ...byId, FIXED_MEASUREMENTS.stimulus, FIXED_MEASUREMENTS.replaced]);
}

function judgeRun(evidence: Evidence): RunVerdict {
  const { facts, clusters } = evidence;
  // What the target cannot show is not judged by rules either.
  const rules = facts.unmetNeeds.length > 0 ? [] : facts.rules;
  const findings = rules.flatMap(oneBound).map((rule) => applyRule(rule, evidence));
  const judged = clusters.map(({ cluster, judgement }) => ({
    cluster,
    judgement: combineJudgements([
      judgement,
      ...findings.flatMap((finding) => ruleJudgements(finding, cluster)),
    ]),
  }));
  const whole = findings.flatMap((finding) => ruleJudgements(finding, undefined));
  const judgement = combineJudgements([...judged.map((one) => one.judgement), ...whole]);
  return {
    schemaVersion: VERDICT_SCHEMA_VERSION,
    runId: facts.runId,
    scenario: facts.scenario,
    judgement,
    clusters: judged.sort((a, b) => (a.cluster < b.cluster ? -1 : 1)),
    rules: findings.map((finding): RuleOutcome => finding.outcome),
  };
}

/** A rule with two bounds is two rules: each gets its own line. */
function oneBound(rule: VerdictRule): readonly VerdictRule[] {
  if (rule.rule !== 'value' || rule.atMost === undefined || rule.atLeast === undefined)
    return [rule];
  const { atMost, atLeast, ...rest } = rule;
  return [
    { ...rest, atMost },
    { ...rest, atLeast },
  ];
}

function applyRule(rule: VerdictRule, evidence: Evidence): RuleFinding {
  switch (rule.rule) {
    case 'stimulus':
      return stimulusRule(rule, evidence);
    case 'replaced':
      return replacedRule(rule, evidence);
    case 'coverage':
      return coverageRule(rule, evidence);
    case 'seen':
    case 'propagation':
      return probeRules(rule, evidence);
    case 'value':
      return valueRule(rule, evidence);
  }
}

/** The reasons that a rule has against one cluster, or (undefined) against the run as a whole. */
function ruleJudgements(finding: RuleFinding, cluster: string | undefined): readonly Judgement[] {
  const reasons = finding.reasons.filter((reason) => reason.cluster === cluster);
  return reasons.length === 0 ? [] : [{ verdict: finding.breaks, reasons }];
}
