import { z } from 'zod';
import type { ExitWord } from './exit-codes.js';

/** The version of `verdict.json` that this program writes and reads. */
export const VERDICT_SCHEMA_VERSION = 1;

const reasonSchema = z.strictObject({
  /** Kebab-case, stable: `stimulus-too-weak`, `threshold-missed`. */
  code: z.string(),
  text: z.string(),
  cluster: z.string().optional(),
  measurement: z.string().optional(),
  /** What was measured, with its unit. */
  given: z.string().optional(),
  /** What the scenario asks for, with its unit. */
  expected: z.string().optional(),
  /** What to do now. */
  next: z.string().optional(),
});

/** Why a verdict is what it is, in one sentence with the numbers beside it. */
export type VerdictReason = z.infer<typeof reasonSchema>;

const causeSchema = z.enum(['workload-failed', 'infrastructure']);
const reasons = z.array(reasonSchema);

/** A verdict with its reasons; an `error` also says whose fault it is. */
export const judgementSchema = z.discriminatedUnion('verdict', [
  z.strictObject({ verdict: z.literal('pass'), reasons }),
  z.strictObject({ verdict: z.literal('fail'), reasons }),
  z.strictObject({ verdict: z.literal('invalid'), reasons }),
  z.strictObject({ verdict: z.literal('error'), cause: causeSchema, reasons }),
  z.strictObject({ verdict: z.literal('not-applicable'), reasons }),
]);

/**
 * `pass` · `fail` (measured and not good enough) · `invalid` (stimulus or coverage too poor to
 * judge) · `error` (could not run) · `not-applicable` (this target cannot show it).
 */
export type Judgement = z.infer<typeof judgementSchema>;
/** One of the five words. */
export type VerdictWord = Judgement['verdict'];

const ruleOutcomeSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  state: z.enum(['held', 'broken', 'not-judged', 'not-applicable']),
  /** The sentence a person reads: what was compared and how it came out. */
  text: z.string(),
  measurement: z.string().optional(),
  /** The worst value that was compared, in `unit`; null when there was none. */
  value: z.number().nullable(),
  op: z.string(),
  limit: z.number().nullable(),
  unit: z.string(),
});

/** How one rule of the scenario came out over all clusters. */
export type RuleOutcome = z.infer<typeof ruleOutcomeSchema>;

/** The content of `verdict.json`. */
export const runVerdictSchema = z.strictObject({
  schemaVersion: z.literal(VERDICT_SCHEMA_VERSION),
  runId: z.string(),
  scenario: z.string(),
  judgement: judgementSchema,
  clusters: z.array(z.strictObject({ cluster: z.string(), judgement: judgementSchema })),
  rules: z.array(ruleOutcomeSchema),
});

/** The verdict of a run, of each of its clusters, and of each rule. */
export type RunVerdict = z.infer<typeof runVerdictSchema>;

/** Worst first: what could not run hides what was measured, and what is invalid hides a failure. */
const SEVERITY: readonly VerdictWord[] = ['error', 'invalid', 'fail', 'pass', 'not-applicable'];

/**
 * One judgement out of many: the worst word decides and only its reasons stay. Nothing to combine is
 * `not-applicable`: no cluster said that anything is good.
 */
export function combineJudgements(judgements: readonly Judgement[]): Judgement {
  const word = SEVERITY.find((one) => judgements.some((other) => other.verdict === one));
  const deciding = judgements.filter((judgement) => judgement.verdict === word);
  const reasons = deciding.flatMap((judgement) => judgement.reasons);
  if (word === undefined) return { verdict: 'not-applicable', reasons: [] };
  if (word !== 'error') return { verdict: word, reasons };
  const infrastructure = deciding.some((one) => exitOf(one) === 'infrastructure');
  return {
    verdict: 'error',
    cause: infrastructure ? 'infrastructure' : 'workload-failed',
    reasons,
  };
}

/** The row of the exit code table that a verdict stands for. */
export function exitOf(judgement: Judgement): ExitWord {
  switch (judgement.verdict) {
    case 'pass':
    case 'not-applicable':
      return 'good';
    case 'fail':
      return 'not-good-enough';
    case 'invalid':
      return 'cannot-judge';
    case 'error':
      return judgement.cause;
  }
}
