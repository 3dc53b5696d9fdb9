import { combineJudgements, type Judgement, type VerdictReason } from '../../model/verdict.js';
import type { FailingCase, JunitResult } from './junit-in.js';
import type { AttemptReading } from './read-attempt.js';
import type { RunFacts } from './run-facts.js';

/**
 * What one cluster's last attempt says by itself, before any rule of the scenario: could it run, and
 * did the engine find anything wrong?
 */
export function judgeCluster(
  cluster: string,
  reading: AttemptReading | undefined,
  facts: Pick<RunFacts, 'ours' | 'unmetNeeds'> & Partial<Pick<RunFacts, 'engine'>>,
): Judgement {
  const unmet = facts.unmetNeeds.map((text) => reason(cluster, 'need-not-met', text));
  if (unmet.length > 0) return { verdict: 'not-applicable', reasons: unmet };
  if (reading === undefined) {
    return infrastructure(cluster, 'no-attempt', 'no attempt was made');
  }
  const { outcome, outcomeProblem, attempt } = reading.folder;
  if (outcome?.ending.state === 'failed') {
    const { cause, code, text, next } = outcome.ending;
    return { verdict: 'error', cause, reasons: [reason(cluster, code, text, next)] };
  }
  if (outcome?.ending.state === 'interrupted') {
    return workload(cluster, 'interrupted', outcome.ending.text);
  }
  if (outcomeProblem !== undefined) {
    return workload(cluster, 'outcome-unreadable', `outcome.json: ${outcomeProblem}`);
  }
  if (facts.ours && outcome === undefined) {
    const text = `attempt ${attempt} has no outcome: the runner ended before it did`;
    return workload(
      cluster,
      'no-outcome',
      text,
      'run the scenario again; meshscale cleanup first removes what it left',
    );
  }
  if (facts.engine === 'native' && outcome !== undefined && reading.junit.state === 'missing') {
    const text = `attempt ${attempt} finished, but the runner ended before it had written its report`;
    return workload(cluster, 'no-report', text, 'clean up and run the scenario again');
  }
  return judgeWorker(cluster, reading, judgeJunit(cluster, reading.junit));
}

/** A runner that failed although every case passed: both signals count, and the worse one decides. */
function judgeWorker(cluster: string, { worker }: AttemptReading, junit: Judgement): Judgement {
  if (worker?.problem === undefined) return junit;
  return combineJudgements([workload(cluster, 'worker-failed', worker.problem), junit]);
}

function judgeJunit(cluster: string, junit: JunitResult): Judgement {
  switch (junit.state) {
    case 'missing':
      return workload(
        cluster,
        'no-junit',
        'the engine left no junit.xml: it did not get to its end',
      );
    case 'malformed':
      return workload(cluster, 'junit-malformed', `junit.xml cannot be read: ${junit.reason}`);
    case 'read':
      return judgeCases(cluster, junit);
  }
}

function judgeCases(cluster: string, junit: JunitResult & { state: 'read' }): Judgement {
  const { failing, failures, errors, cases } = junit;
  if (failures + errors > 0 || failing.length > 0) {
    const reasons = failing.map((one) => caseReason(cluster, one));
    const claimed = reason(
      cluster,
      'engine-failure',
      `${failures + errors} cases failed, none is named`,
    );
    const measured = failing.length > 0 && failing.every((one) => MEASURED.test(one.text));
    if (measured) return { verdict: 'fail', reasons };
    const all = reasons.length === 0 ? [claimed] : reasons;
    return { verdict: 'error', cause: 'workload-failed', reasons: all };
  }
  if (cases > 0) return { verdict: 'pass', reasons: [] };
  const text = 'junit.xml holds no test case: nothing was checked';
  return { verdict: 'invalid', reasons: [reason(cluster, 'no-cases', text)] };
}

function caseReason(cluster: string, { name, text }: FailingCase): VerdictReason {
  const said = text === '' ? 'failed without a text' : text;
  return reason(cluster, MEASURED.test(text) ? 'violation' : 'step-failed', `${name}: ${said}`);
}

/** Texts by which ClusterLoader2 says that it measured and found too much. @see data/clusterloader2.md §4.4 */
const MEASURED = /too high latency|sample (above|below) threshold|too many samples/;

function infrastructure(cluster: string, code: string, text: string): Judgement {
  return { verdict: 'error', cause: 'infrastructure', reasons: [reason(cluster, code, text)] };
}

function workload(cluster: string, code: string, text: string, next?: string): Judgement {
  const reasons = [reason(cluster, code, text, next)];
  return { verdict: 'error', cause: 'workload-failed', reasons };
}

function reason(cluster: string, code: string, text: string, next?: string): VerdictReason {
  return next === undefined ? { code, text, cluster } : { code, text, cluster, next };
}
