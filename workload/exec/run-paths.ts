import { join } from 'node:path';

/** Where everything of one run stands. @see contracts.md §7 */
export interface RunPaths {
  readonly root: string;
  readonly plan: string;
  readonly journal: string;
  readonly lock: string;
  readonly probes: string;
  readonly metrics: string;
  /** Kubeconfigs, 0700; removed at the end of a run. */
  readonly secret: string;
  attempt(role: string, attempt: number): AttemptPaths;
}

/** Where everything of one attempt on one cluster stands. */
export interface AttemptPaths {
  readonly root: string;
  readonly report: string;
  readonly log: string;
  readonly outcome: string;
  /** What an engine is given: configs and templates. */
  readonly input: string;
}

/** Names the places of a run folder; touches nothing. */
export function runPaths(root: string): RunPaths {
  return {
    root,
    plan: join(root, 'plan.json'),
    journal: join(root, 'journal.jsonl'),
    lock: join(root, 'lock'),
    probes: join(root, 'probes'),
    metrics: join(root, 'metrics'),
    secret: join(root, 'private'),
    attempt: (role, attempt) => attemptPaths(join(root, 'clusters', role, `attempt-${attempt}`)),
  };
}

function attemptPaths(root: string): AttemptPaths {
  return {
    root,
    report: join(root, 'report'),
    log: join(root, 'engine.log'),
    outcome: join(root, 'outcome.json'),
    input: join(root, 'input'),
  };
}
