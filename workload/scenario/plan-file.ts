import { z } from 'zod';
import { RUN_PLAN_SCHEMA_VERSION, runPlanSchema, type RunPlan } from '../../model/run-plan.js';
import { throwRefusal } from '../../model/user-error.js';
import { readVersioned } from '../../model/versioned-json.js';
import { badPlan, planVersion } from './errors.js';

/** The text of `plan.json`. */
export function planText(plan: RunPlan): string {
  return `${JSON.stringify(z.encode(runPlanSchema, plan), null, 2)}\n`;
}

/** The one reader of `plan.json`. Throws all that is wrong with it (run/bad-plan, run/plan-version). */
export function readPlan(text: string, file: string): RunPlan {
  const reading = readVersioned(text, runPlanSchema, RUN_PLAN_SCHEMA_VERSION);
  switch (reading.state) {
    case 'read':
      return reading.value;
    case 'other-version':
      throw planVersion(file, reading);
    case 'broken':
      return throwRefusal(
        reading.problems.map((problem) => badPlan({ file }, problem)),
        file,
      );
  }
}
