import type { RuleOutcome, VerdictReason } from '../../model/verdict.js';

/** How a rule came out, and what it has against whom. */
export interface RuleFinding {
  readonly outcome: RuleOutcome;
  /** What the verdict becomes when there are reasons. */
  readonly breaks: 'fail' | 'invalid';
  /** Reasons without a cluster stand against the run as a whole. */
  readonly reasons: readonly VerdictReason[];
}

/** A value that a rule compared. */
export interface Compared {
  /** Undefined: the whole mesh. */
  readonly cluster?: string | undefined;
  /** What the value belongs to, for the sentence: `mesh-001`, `mesh-001 → mesh-002`, `every pair`. */
  readonly of: string;
  /** Null: there is no value, with the reason. */
  readonly value: number | null;
  readonly missing?: string | undefined;
  /** Why a value that is there is so low, if that is known. */
  readonly why?: string | undefined;
}

/** What a rule compares with what. */
export interface Comparison {
  readonly id: string;
  readonly kind: string;
  /** `Changes per second in phase burst`. */
  readonly subject: string;
  readonly measurement?: string | undefined;
  readonly op: '≥' | '≤';
  readonly limit: number;
  readonly unit: string;
  readonly breaks: 'fail' | 'invalid';
  /** Stable code of the reason when a value is on the wrong side. */
  readonly code: string;
  readonly next: string;
  readonly format: (value: number) => string;
}

/**
 * Compares every value with the limit. A missing value never passes: it makes the run invalid, and
 * so does having nothing to compare.
 */
export function compareAll(rule: Comparison, compared: readonly Compared[]): RuleFinding {
  const present = compared.flatMap((one) =>
    one.value === null ? [] : [{ ...one, value: one.value }],
  );
  const sorted = present.sort((a, b) => (rule.op === '≤' ? b.value - a.value : a.value - b.value));
  const worst = sorted[0];
  const broken = sorted.filter(({ value }) => !holds(rule, value));
  const missing = compared.filter((one) => one.value === null);
  const limit = `${rule.op} ${rule.format(rule.limit)}`;
  const outcome = (state: RuleOutcome['state'], text: string): RuleOutcome => ({
    id: rule.id,
    kind: rule.kind,
    state,
    text,
    ...(rule.measurement === undefined ? {} : { measurement: rule.measurement }),
    value: worst?.value ?? null,
    op: rule.op,
    limit: rule.limit,
    unit: rule.unit,
  });
  if (broken.length > 0 && worst !== undefined) {
    const reasons = broken.map((one) => wrongSide(rule, one, limit));
    const text = wrongText(rule, worst, limit);
    return { outcome: outcome('broken', text), breaks: rule.breaks, reasons };
  }
  if (missing.length > 0 || worst === undefined) {
    const reasons = missing.length > 0 ? missing.map((one) => noValue(rule, one)) : [nothing(rule)];
    const text = `${rule.subject}: no value at ${missing.map((one) => one.of).join(', ') || 'all'}`;
    return { outcome: outcome('not-judged', text), breaks: 'invalid', reasons };
  }
  const text = `${rule.subject}: ${rule.format(worst.value)} at worst, asked ${limit}`;
  return { outcome: outcome('held', text), breaks: rule.breaks, reasons: [] };
}

/** A rule that has nothing to say on this target. */
export function notApplicable(rule: Comparison, reason: string): RuleFinding {
  const { id, kind, op, limit, unit, subject } = rule;
  const text = `${subject}: ${reason}`;
  return {
    outcome: { id, kind, state: 'not-applicable', text, value: null, op, limit, unit },
    breaks: rule.breaks,
    reasons: [],
  };
}

function holds({ op, limit }: Comparison, value: number): boolean {
  return op === '≤' ? value <= limit : value >= limit;
}

function wrongSide(rule: Comparison, one: Compared & { value: number }, limit: string) {
  const why = one.why === undefined ? '' : `; ${one.why}`;
  return {
    code: rule.code,
    text: `${wrongText(rule, one, limit)}${why}`,
    ...place(rule, one),
    given: rule.format(one.value),
    expected: limit,
    next: rule.next,
  };
}

/** `Load in phase burst: 56 % at mesh-002, asked ≥ 90 %`; what is of the whole mesh in brackets. */
function wrongText(rule: Comparison, one: Compared & { value: number }, limit: string): string {
  const place = one.cluster === undefined ? `(${one.of})` : `at ${one.of}`;
  return `${rule.subject}: ${rule.format(one.value)} ${place}, asked ${limit}`;
}

function noValue(rule: Comparison, one: Compared) {
  const why = one.missing ?? 'no reason is known';
  return {
    code: 'value-missing',
    text: `${rule.subject} cannot be judged at ${one.of}: ${why}`,
    ...place(rule, one),
    expected: `${rule.op} ${rule.format(rule.limit)}`,
  };
}

function nothing(rule: Comparison) {
  return {
    code: 'value-missing',
    text: `${rule.subject} cannot be judged: there is no value at all`,
    expected: `${rule.op} ${rule.format(rule.limit)}`,
  };
}

function place(rule: Comparison, { cluster }: Compared) {
  return {
    ...(cluster === undefined ? {} : { cluster }),
    ...(rule.measurement === undefined ? {} : { measurement: rule.measurement }),
  };
}
