import { resolve } from 'node:path';
import { z } from 'zod';
import { clusterTitle } from '../../model/inventory.js';
import { runPlanSchema, type RunPlan } from '../../model/run-plan.js';
import { exitOf } from '../../model/verdict.js';
import { throwRefusal } from '../../model/user-error.js';
import { runLeftovers } from '../exec/errors.js';
import { leftoversOf } from '../exec/clean-clusters.js';
import type { Parallelism } from '../exec/parallelism.js';
import { loadCatalogue, type Catalogue } from '../measure/catalogue.js';
import { findScenario } from '../scenario/catalog.js';
import { shippedFolders } from '../scenario/folders.js';
import type { LoadedScenario } from '../scenario/load.js';
import { planRun } from '../scenario/plan.js';
import { chooseEngine, type ChosenEngine } from './choose-engine.js';
import type { CommandContext } from './context.js';
import { programVersion } from './program-version.js';
import type { ExecutedRun } from './perform-run.js';
import { executePlan } from './run-execute.js';
import { resumableFlags } from './resumable-flags.js';
import type { RunFlags } from './run-flags.js';
import { parallelismOf } from './run-parallel.js';
import { readSeed } from './run-seed.js';
import { findTarget, type Target } from './run-target.js';
import { smokeOf } from './smoke-flags.js';

/** Runs the scenarios one after the other and tells how each came out. */
export async function runScenarios(
  names: readonly string[],
  flags: RunFlags,
  context: CommandContext,
): Promise<readonly ExecutedRun[]> {
  const folders = shippedFolders();
  const catalogue = await loadCatalogue(folders.measurements);
  const loaded = await Promise.all(
    names.map((name) => findScenario(folders.scenarios, name, catalogue)),
  );
  const seed = readSeed(flags.seed, context.random);
  const smoke = smokeOf(flags);
  const engine = await chooseEngine(flags, catalogue, context);
  const target = await findTarget(flags, context);
  const plan = (one: LoadedScenario): RunPlan =>
    planOf(one, { catalogue, target, flags, seed, context, engine });
  // All of them before the first runs: a wrong knob of the last must not be found after an hour.
  const plans = loaded.map(plan);
  const parallels = plans.map((one) => parallelismOf(one, flags, context));
  if (flags.dryRun === true) {
    tellPlans(plans, parallels, engine, context);
    return [];
  }
  const runs: ExecutedRun[] = [];
  for (const [index, one] of loaded.entries()) {
    if (context.signal.aborted) break;
    const out = resolve(context.cwd, flags.out);
    const how = { catalogue, out, context, engine, smoke, parallel: parallels[index] };
    runs.push(await executePlan(plan(one), how));
  }
  return runs;
}

/** The exit words of runs, and what is left of them. */
export function judgeRuns(runs: readonly ExecutedRun[], context: CommandContext): void {
  for (const { results } of runs) context.exitWith(exitOf(results.verdict.judgement));
  const left = runs.flatMap(({ end }) => leftoversOf(end.cleaned));
  if (left.length === 0) return;
  // On --json they stand in the one document already.
  if (context.wantsJson()) context.exitWith('leftovers');
  else throw runLeftovers(left);
}

interface Planning {
  readonly catalogue: Catalogue;
  readonly target: Target;
  readonly flags: RunFlags;
  readonly seed: number;
  readonly context: CommandContext;
  readonly engine: ChosenEngine;
}

function planOf(loaded: LoadedScenario, planning: Planning): RunPlan {
  const { target, flags, context, engine } = planning;
  const { inventory, rates } = target;
  const versions = {
    meshscale: programVersion(),
    node: process.version,
    ...inventory.clusters[0]?.components,
  };
  const { clock, random } = context;
  const request = {
    loaded,
    inventory,
    versions,
    rates,
    clock,
    random,
    engine: engine.name,
  } as const;
  const { catalogue, seed } = planning;
  const result = planRun({ ...request, catalogue, seed, settings: flags.set });
  if (!result.ok) return throwRefusal(result.errors, 'the plan');
  return { ...result.plan, flags: { ...resumableFlags(flags) } };
}

function tellPlans(
  plans: readonly RunPlan[],
  parallels: readonly Parallelism[],
  { about = [] }: ChosenEngine,
  context: CommandContext,
): void {
  if (context.wantsJson()) {
    const documents = plans.map((plan) => z.encode(runPlanSchema, plan));
    context.output.json(documents.length === 1 ? documents[0] : documents);
    return;
  }
  for (const [index, { scenario, inventory, expected, knobs }] of plans.entries()) {
    const roles = inventory.clusters.map(clusterTitle).join(', ');
    const phases = scenario.phases.map(({ name, kind }) => `${name} (${kind})`).join(' → ');
    context.output.data(`${scenario.name}: ${scenario.title}`);
    context.output.data(`  clusters      ${roles} (${inventory.target})`);
    const { limit, reason } = parallels[index] ?? { limit: 0, reason: '' };
    context.output.data(`  at once       ${limit} of ${inventory.clusters.length}: ${reason}`);
    context.output.data(`  phases        ${phases}`);
    context.output.data(`  measurements  ${expected.length} in each cluster`);
    for (const line of about) context.output.data(`  ${line}`);
    for (const [name, { value, set }] of Object.entries(knobs)) {
      context.output.data(`  ${name} = ${value}${set ? '  (set)' : ''}`);
    }
  }
}
