import { resolve } from 'node:path';
import type { RunPlan } from '../../model/run-plan.js';
import { badCl2Flag, noBinary, notCl2 } from '../cl2/errors.js';
import { createCl2Engine } from '../cl2/cl2-engine.js';
import { binaryExecutor } from '../cl2/executors/binary-executor.js';
import type { Cl2Executor } from '../cl2/executors/executor.js';
import { generateCl2 } from '../cl2/generate.js';
import { parsePrometheusMode } from '../cl2/prometheus-mode.js';
import { objectsOf, type CreateEngine } from '../exec/create-engine.js';
import { notInThisRelease } from '../exec/errors.js';
import type { AttemptResult } from '../exec/report-attempts.js';
import type { Catalogue } from '../measure/catalogue.js';
import type { Clock } from '../platform/clock.js';
import { followProcess } from '../platform/followed-process.js';
import { readCl2Report } from './cl2-report.js';
import type { CommandContext } from './context.js';
import type { RunFlags } from './run-flags.js';
import { writeEvaluated, writeNativeReport } from './run-report-folder.js';

/** The engine of a run, and what is done with what it found. */
export interface ChosenEngine {
  readonly name: RunPlan['engine'];
  /** @default - our own engine */
  readonly createEngine?: CreateEngine;
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
      return NATIVE_ENGINE;
    case 'clusterloader2': {
      const settings = cl2Settings(flags.cl2Set ?? []);
      const executor = await chooseExecutor(flags, settings, context);
      return clusterLoader2(flags, catalogue, executor);
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
  return {
    name: 'clusterloader2',
    createEngine: ({ plan, connection, places, secret, clock, log, onOutcome }) => {
      const { cluster, kube } = connection;
      const { role } = cluster;
      return createCl2Engine({
        ...{ clock, cluster, executor, log, onOutcome },
        client: kube,
        target: plan.inventory.target,
        objects: objectsOf(plan),
        job: generateCl2({ plan, catalogue, role, prometheus }),
        places: { input: places.input, report: places.report, secret },
        readReport: readCl2Report,
      });
    },
    writeReport: async (folder, result, about) => {
      // Its own Prometheus is gone by now, and what it knew is in the files.
      if (prometheus === 'own') return;
      await writeEvaluated(folder, result, about);
    },
  };
}

async function chooseExecutor(
  flags: RunFlags,
  settings: Readonly<Record<string, string>>,
  context: CommandContext,
): Promise<Cl2Executor> {
  const { executor = 'binary' } = flags;
  if (executor !== 'binary') throw notInThisRelease(`--executor ${executor}`, 'binary');
  const binary = await findBinary(flags.cl2Binary, context);
  return binaryExecutor({ binary, settings, clock: context.clock, follow: followProcess });
}

/** The executable of `--cl2-binary` or MESHSCALE_CL2_BINARY; it has to answer like ClusterLoader2. */
export async function findBinary(
  flag: string | undefined,
  { env, cwd, processes, signal }: CommandContext,
): Promise<string> {
  const given = flag ?? env['MESHSCALE_CL2_BINARY'];
  if (given === undefined || given === '') throw noBinary(undefined);
  const binary = resolve(cwd, given);
  const answer = await processes.run({ command: binary, args: ['--help'], env: {}, signal });
  if (answer.state === 'not-found') throw noBinary(binary);
  const text = answer.state === 'ended' ? answer.stdout + answer.stderr : answer.stderr;
  if (!text.includes('--testconfig') || !text.includes('--k8s-clients-number'))
    throw notCl2(binary);
  return binary;
}

function cl2Settings(texts: readonly string[]): Readonly<Record<string, string>> {
  const entries = texts.map((text) => {
    const match = /^(CL2_[A-Z0-9_]+)=(.*)$/.exec(text);
    if (match === null) throw badCl2Flag(`--cl2-set ${text}`, 'CL2_SOMETHING=value');
    return [match[1] ?? '', match[2] ?? ''] as const;
  });
  return Object.fromEntries(entries);
}
