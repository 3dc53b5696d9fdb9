import type { Row } from '../../model/row.js';
import type { ProbeLine } from './probe-line.js';
import type { RunFacts } from './run-facts.js';
import type { ClusterRows } from './to-rows.js';

/** What the rules of a scenario look at. */
export interface Evidence {
  readonly facts: RunFacts;
  readonly clusters: readonly Pick<ClusterRows, 'cluster' | 'judgement' | 'coverage'>[];
  /** The rows that some rule may look at; not all of them. */
  readonly rows: readonly Row[];
  readonly lines: readonly ProbeLine[];
}
