/** A kind of failure that somebody has met before, by what it says. */
export interface FailureSignature {
  /** Kebab-case, stable: it stands in outcomes and reports. */
  readonly class: string;
  readonly area: 'run-time' | 'fleet' | 'provisioning';
  /** Every one has to be found; case-insensitive, over all lines. */
  readonly patterns: readonly RegExp[];
  /** Only when ClusterLoader2 left no `junit.xml`: later the same words are data. @default false */
  readonly withoutJunit?: true;
  /** `expected`: it is no failure of the run at all. */
  readonly retry: 'yes' | 'once' | 'no' | 'expected';
  /** Why it happens. */
  readonly cause: string;
  /** What to do about it. */
  readonly action: string;
}
