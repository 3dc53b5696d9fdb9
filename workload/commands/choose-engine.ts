import type { RunPlan } from '../../model/run-plan.js';
import { createCl2Engine } from '../cl2/cl2-engine.js';
import type { Cl2Executor } from '../cl2/executors/executor.js';
import { generateCl2 } from '../cl2/generate.js';
import { parsePrometheusMode } from '../cl2/prometheus-mode.js';
import { nativeEngine, objectsOf, type CreateEngine } from '../exec/create-engine.js';
import { notInThisRelease } from '../exec/errors.js';
import type { AttemptResult } from '../exec/report-attempts.js';
import type { Catalogue } from '../measure/catalogue.js';
import type { Clock } from '../platform/clock.js';
import { readCl2Report } from './cl2-report.js';
import { readCl2Flags } from './cl2-flags.js';
import type { CommandContext } from './context.js';
import { describeExecutor, openExecutor } from './open-executor.js';
import { podLogged } from './pod-logged.js';
import type { RunFlags } from './run-flags.js';
import { writeEvaluated, writeNativeReport } from './run-report-folder.js';

/** The engine of a run, and what is done with what it found. */
export interface ChosenEngine {
  readonly name: RunPlan['engine'];
  /** @default - our own engine */
  readonly createEngine?: CreateEngine;
  /** What it makes where, in lines for `--dry-run`. @default - nothing but the workload */
  readonly about?: readonly string[];
  writeReport(folder: string, result: AttemptResult, about: AboutRun): Promise<void>;
}

/** What a report folder is written about. */
export interface AboutRun {
  readonly plan: RunPlan;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** Our own engine, which writes the whole report folder. */
export const NATIVE_ENGINE: ChosenEngine = { name: 'native', writeReport: writeNativeReport };

/** Chooses by the flags, and looks whether it can be run at all before anything is touched. */
export async function chooseEngine(
  flags: RunFlags,
  catalogue: Catalogue,
  context: CommandContext,
): Promise<ChosenEngine> {
  switch (flags.engine) {
    case 'native':
      return { ...NATIVE_ENGINE, createEngine: podLogged(nativeEngine, flags.podLogs) };
    case 'clusterloader2': {
      const choice = readCl2Flags(flags, context.env);
      const executor = await openExecutor(choice, flags, context);
      return { ...clusterLoader2(flags, catalogue, executor), about: describeExecutor(choice) };
    }
    default:
      throw notInThisRelease(`--engine ${flags.engine}`, 'native or clusterloader2');
  }
}

function clusterLoader2(
  flags: RunFlags,
  catalogue: Catalogue,
  executor: Cl2Executor,
): ChosenEngine {
  const prometheus = parsePrometheusMode(flags.prometheus);
  const createEngine: CreateEngine = (request) => {
    const { plan, connection, places, secret, clock, log, onOutcome } = request;
    const { cluster, kube } = connection;
    const { role } = cluster;
    return createCl2Engine({
      ...{ clock, cluster, executor, log, onOutcome },
      reattach: request.reattach,
      client: kube,
      target: plan.inventory.target,
      objects: objectsOf(plan),
      job: generateCl2({ plan, catalogue, role, prometheus }),
      places: { input: places.input, report: places.report, secret },
      readReport: readCl2Report,
    });
  };
  return {
    name: 'clusterloader2',
    createEngine: podLogged(createEngine, flags.podLogs),
    writeReport: async (folder, result, about) => {
      // Its own Prometheus is gone by now, and what it knew is in the files.
      if (prometheus === 'own') return;
      await writeEvaluated(folder, result, about);
    },
  };
}
