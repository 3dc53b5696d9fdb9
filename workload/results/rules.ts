import { FIXED_MEASUREMENTS } from '../../model/row.js';
import { durationText } from '../../model/quantity.js';
import type { VerdictRule } from '../../model/scenario-spec.js';
import { percentile } from '../../model/percentiles.js';
import { propagationOf } from './probe-line.js';
import {
  compareAll,
  notApplicable,
  type Compared,
  type Comparison,
  type RuleFinding,
} from './rule-finding.js';
import type { Evidence } from './evidence.js';

type Rule<Kind extends VerdictRule['rule']> = Extract<VerdictRule, { rule: Kind }>;

/** Was each cluster loaded as asked? */
export function stimulusRule(rule: Rule<'stimulus'>, { facts, rows }: Evidence): RuleFinding {
  const own = rows.filter(
    (row) => row.measurement === FIXED_MEASUREMENTS.stimulus && row.meshscale.phase === rule.phase,
  );
  const compared = facts.clusters.map(({ role }): Compared => {
    const data = dataOf(own.find((row) => row.cluster === role)?.result);
    if (data?.get('asked') === null) return { cluster: role, of: role, value: 1 };
    const value = numberAt(data, 'ratio');
    const missing = data === undefined ? `phase ${rule.phase} left no record` : 'no rate is known';
    return { cluster: role, of: role, value, missing };
  });
  const next =
    'ask for less (--set apiServerCallsPerSecond=…, where the scenario has that knob), or give the runner and the API servers more CPU: end what else runs there';
  return compareAll(
    {
      ...ratioRule(rule.atLeast, 'invalid', 'stimulus-too-weak', next),
      id: `stimulus-${rule.phase}`,
      kind: 'stimulus',
      subject: `Share of the asked load in phase ${rule.phase}`,
      measurement: FIXED_MEASUREMENTS.stimulus,
    },
    compared,
  );
}

/** Did a restart replace every pod? */
export function replacedRule(rule: Rule<'replaced'>, { facts, rows }: Evidence): RuleFinding {
  const own = rows.filter(
    (row) => row.measurement === FIXED_MEASUREMENTS.replaced && row.meshscale.phase === rule.phase,
  );
  const compared = facts.clusters.map(({ role }): Compared => {
    const data = dataOf(own.find((row) => row.cluster === role)?.result);
    const [expected, replaced] = [numberAt(data, 'expected'), numberAt(data, 'replaced')];
    const value =
      expected === null || replaced === null ? null : expected === 0 ? 1 : replaced / expected;
    return { cluster: role, of: role, value, missing: `phase ${rule.phase} left no record` };
  });
  const next = 'look at the pods that stayed: clusters/<role>/attempt-<n>/engine.log';
  return compareAll(
    {
      ...ratioRule(1, 'invalid', 'pods-not-replaced', next),
      id: `replaced-${rule.phase}`,
      kind: 'replaced',
      subject: `Pods replaced in phase ${rule.phase}`,
      measurement: FIXED_MEASUREMENTS.replaced,
    },
    compared,
  );
}

/** Is enough of what should have been measured there? */
export function coverageRule(rule: Rule<'coverage'>, { clusters }: Evidence): RuleFinding {
  const compared = clusters.map(({ cluster, coverage }): Compared => {
    const expected = coverage.reduce((sum, one) => sum + one.count.expected, 0);
    const present = coverage.reduce((sum, one) => sum + one.count.present, 0);
    const value = expected === 0 ? 1 : present / expected;
    return { cluster, of: cluster, value, why: commonReason(coverage) };
  });
  const next =
    'see the coverage section for what is missing and why; most of it comes from Prometheus, which has to be found: docs/your-own-clusters.md';
  return compareAll(
    {
      ...ratioRule(rule.atLeast, 'invalid', 'coverage-too-low', next),
      id: 'coverage',
      kind: 'coverage',
      subject: 'Measured values that are there',
      measurement: FIXED_MEASUREMENTS.coverage,
    },
    compared,
  );
}

/** A component that is gone leaves its own words at every measurement of it: those are the cause. */
function commonReason(coverage: Evidence['clusters'][number]['coverage']): string | undefined {
  const counts = new Map<string, number>();
  for (const { state, reason } of coverage) {
    if (reason === undefined || (state !== 'missing' && state !== 'empty')) continue;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (most === undefined) return undefined;
  const [reason, count] = most;
  return count === 1 ? reason : `${reason} (${count} measurements)`;
}

/** Did the peers see the probes, and soon enough? Pooled over probes × directed pairs. */
export function probeRules(
  rule: Rule<'seen'> | Rule<'propagation'>,
  { lines, facts }: Evidence,
): RuleFinding {
  const own = lines.filter((line) => (line.probe ?? rule.probe) === rule.probe);
  const times = own.flatMap((line) => propagationOf(line) ?? []).sort((a, b) => a - b);
  const comparison = rule.rule === 'seen' ? seenComparison(rule) : timeComparison(rule);
  const { unwatchable } = facts.probes;
  // A peer that nobody can look into has not failed to see anything.
  if (unwatchable !== undefined && times.length === 0) {
    return notApplicable(comparison, unwatchable);
  }
  const missing = own.length === 0 ? 'no probe was made' : 'no probe was seen by any peer';
  if (rule.rule === 'propagation') {
    const value = percentile(times, rule.quantile) ?? null;
    return compareAll(comparison, [{ of: 'all pairs', value, missing }]);
  }
  const value = own.length === 0 ? null : times.length / own.length;
  const of = `${times.length} of ${own.length} observations`;
  return compareAll(comparison, [{ of, value, missing }]);
}

function seenComparison(rule: Rule<'seen'>): Comparison {
  return {
    ...ratioRule(rule.atLeast, 'fail', 'probes-not-seen', SLOW_PAIRS),
    id: `seen-${rule.probe}`,
    kind: 'seen',
    subject: `Probes “${rule.probe}” seen by their peers`,
    measurement: FIXED_MEASUREMENTS.propagation,
  };
}

function timeComparison(rule: Rule<'propagation'>): Comparison {
  return {
    id: `propagation-${rule.probe}-p${rule.quantile * 100}`,
    kind: 'propagation',
    subject: `Propagation p${rule.quantile * 100} of probes “${rule.probe}”`,
    measurement: FIXED_MEASUREMENTS.propagation,
    op: '≤',
    limit: rule.atMost,
    unit: 'ms',
    breaks: 'fail',
    code: 'propagation-too-slow',
    next: SLOW_PAIRS,
    format: durationText,
  };
}

const SLOW_PAIRS =
  'see which pairs are slow in the heat map, then their clusters in the control plane';

/** Is a value of the catalogue within its bound in every cluster? */
export function valueRule(rule: Rule<'value'>, { facts, rows, clusters }: Evidence): RuleFinding {
  const planned = facts.expected.find((one) => one.id === rule.measurement);
  const name = planned?.measurement ?? rule.measurement;
  const own = rows.filter((row) => row.measurement === name);
  const comparison = valueComparison(rule, name, own[0]?.meshscale.unit ?? '');
  const coverage = clusters.flatMap((one) => one.coverage.filter((c) => c.measurement === name));
  if (coverage.length > 0 && coverage.every((one) => one.state === 'not-applicable')) {
    return notApplicable(comparison, coverage[0]?.reason ?? 'this target cannot show it');
  }
  const compared = facts.clusters.flatMap(({ role }): readonly Compared[] => {
    const found = own.filter((row) => row.cluster === role);
    const values = found.flatMap((row) => numberAt(dataOf(row.result), rule.query) ?? []);
    const missing =
      found.length === 0 ? 'the measurement is missing' : `${rule.query} has no value`;
    if (values.length === 0) return [{ cluster: role, of: role, value: null, missing }];
    return values.map((value) => ({ cluster: role, of: role, value }));
  });
  return compareAll(comparison, compared);
}

function valueComparison(rule: Rule<'value'>, name: string, unit: string) {
  const atMost = rule.atMost !== undefined;
  return {
    id: `value-${rule.measurement}-${rule.query}`,
    kind: 'value',
    subject: `${name} ${rule.query}`,
    measurement: name,
    op: atMost ? '≤' : '≥',
    limit: rule.atMost ?? rule.atLeast ?? 0,
    unit,
    breaks: 'fail',
    code: 'threshold-missed',
    next: 'see the control plane section for the same value in the other clusters',
    format: (value: number) => `${Number(value.toPrecision(3))} ${unit}`.trim(),
  } as const;
}

function ratioRule(limit: number, breaks: 'fail' | 'invalid', code: string, next: string) {
  const format = (value: number) => `${Math.floor(value * 1000) / 10} %`;
  return { op: '≥', limit, unit: 'ratio', breaks, code, next, format } as const;
}

function dataOf(result: object | undefined): ReadonlyMap<string, unknown> | undefined {
  if (result === undefined || !('data' in result)) return undefined;
  const { data } = result;
  return typeof data === 'object' && data !== null ? new Map(Object.entries(data)) : undefined;
}

function numberAt(data: ReadonlyMap<string, unknown> | undefined, name: string): number | null {
  const value = data?.get(name);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
