import { FLEET_SIGNATURES } from './fleet.js';
import { PROVISIONING_SIGNATURES } from './provisioning.js';
import { RUN_TIME_SIGNATURES } from './run-time.js';
import type { FailureSignature } from './signature.js';

/** A signature that a text carries, and where. */
export interface MatchedSignature {
  readonly signature: FailureSignature;
  /** The line of the first match. */
  readonly excerpt: string;
}

/** Where the text is from. */
export interface MatchContext {
  /** Whether ClusterLoader2 wrote its `junit.xml`. */
  readonly junit: boolean;
}

/**
 * The first signature that a text carries; the tables stand in the order from special to general.
 * Undefined for a text that nobody knows: it is never retried. @see data/failure-signatures.md §5
 */
export function matchSignature(text: string, context: MatchContext): MatchedSignature | undefined {
  for (const signature of ALL_SIGNATURES) {
    if (signature.withoutJunit === true && context.junit) continue;
    const matches = signature.patterns.map((pattern) => pattern.exec(text));
    const [first] = matches;
    if (first === undefined || first === null || matches.includes(null)) continue;
    return { signature, excerpt: lineAt(text, first.index) };
  }
  return undefined;
}

/** Whether another try can help against a class of failure; one that nobody knows is never tried again. */
export function retryOf(failureClass: string): FailureSignature['retry'] {
  return ALL_SIGNATURES.find((one) => one.class === failureClass)?.retry ?? 'no';
}

/** Every signature, run time first: a run's own log is what is mostly asked about. */
export const ALL_SIGNATURES: readonly FailureSignature[] = [
  ...RUN_TIME_SIGNATURES,
  ...FLEET_SIGNATURES,
  ...PROVISIONING_SIGNATURES,
];

function lineAt(text: string, index: number): string {
  const from = text.lastIndexOf('\n', index) + 1;
  const to = text.indexOf('\n', index);
  return text.slice(from, to < 0 ? undefined : to).slice(0, LONGEST);
}

const LONGEST = 500;
