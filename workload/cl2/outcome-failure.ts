import type { ActionFailure } from '../native/cluster-engine.js';
import type { Cl2Outcome } from '../../model/cl2-outcome.js';

/**
 * What an outcome means for its attempt. A violated threshold is none: the attempt was made, and what
 * was measured is judged.
 */
export function failureOf(outcome: Cl2Outcome): ActionFailure | undefined {
  switch (outcome.kind) {
    case 'passed':
    case 'violated':
    case 'interrupted':
      return undefined;
    case 'workload-failed':
      return workload('steps-failed', stepsText(outcome.steps), LOOK);
    case 'infrastructure':
      return {
        cause: 'infrastructure',
        code: outcome.class,
        text: outcome.text,
        next: outcome.next,
      };
    case 'config-refused':
      return workload('config-refused', outcome.text, 'meshscale validate says what is wrong');
    case 'killed':
      return { cause: 'infrastructure', code: 'engine-killed', text: outcome.text, next: KILLED };
    case 'timed-out':
      return workload('engine-timeout', outcome.text, LOOK);
    case 'half-report':
      return workload('half-report', outcome.text, LOOK);
    case 'silent-loss': {
      const text = `it says that all is well, and did not write ${outcome.files.join(', ')}`;
      return workload('silent-loss', text, LOOK);
    }
  }
}

function workload(code: string, text: string, next: string): ActionFailure {
  return { cause: 'workload-failed', code, text, next };
}

function stepsText(steps: Extract<Cl2Outcome, { kind: 'workload-failed' }>['steps']): string {
  const shown = steps.slice(0, SHOWN).map(({ step, text }) => `${step}: ${text.slice(0, LONGEST)}`);
  const more = steps.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const SHOWN = 3;
const LONGEST = 500;
const LOOK = 'read engine.log of this attempt';
const KILLED = 'look for what ended it: the memory of this machine, a user, a job system';
