import { z } from 'zod';
import type { RunPlan } from '../../model/run-plan.js';
import type { RunFlags } from './run-flags.js';

/**
 * The flags that a resumed run takes over: about engine and runner. Clusters, knobs and seed stand in the
 * plan itself, and the path of an executable is not for a folder that may be moved.
 */
export function resumableFlags(flags: RunFlags): NonNullable<RunPlan['flags']> {
  const own = Object.entries(flags).filter(([name]) => !ELSEWHERE.has(name));
  return valuesSchema.parse(Object.fromEntries(own));
}

const valuesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['target', 'inventory', 'contexts', 'kubeconfig', 'state', 'tag', 'stack'],
  ...['engine', 'set', 'seed', 'out', 'dryRun', 'cl2Binary'],
]);
