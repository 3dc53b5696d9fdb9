import { systemClock } from '../../workload/platform/clock.js';
import type { FakeStep } from './config.js';
import type { ScriptedEnding } from './ending.js';
import type { Cl2Flags } from './flags.js';
import type { Klog } from './klog.js';
import { measure } from './measurements.js';
import { runPhase, type FakeCluster } from './objects.js';
import type { FakeCase, FakeSummary } from './report.js';

/** What the steps of a test came to. */
export interface RanSteps {
  readonly cases: readonly FakeCase[];
  readonly summaries: readonly FakeSummary[];
  /** Before the first step. */
  readonly refused?: string;
}

/** Runs the steps one after the other, with the markers that the real one logs. */
export async function runSteps(
  cluster: FakeCluster,
  { prometheus }: Cl2Flags,
  script: ScriptedEnding,
  klog: Klog,
): Promise<RanSteps> {
  if (script.ending === 'namespaces-taken') {
    const refused =
      'error while preparing test namespaces: pre-existing automanaged namespaces found';
    return { cases: [], summaries: [], refused };
  }
  const cases: FakeCase[] = [];
  const summaries: FakeSummary[] = [];
  const { steps, name } = cluster.config;
  for (const [index, step] of steps.entries()) {
    const title = `[step: ${String(index + 1).padStart(2, '0')}] ${step.name}`;
    klog.info(`Step "${title}" started`);
    const fatal = index + 1 === (script.atStep ?? steps.length);
    if (fatal) await meetEnd(script);
    const start = systemClock.now();
    const results = await runStep(cluster, step, prometheus);
    const seconds = (systemClock.now() - start) / 1_000;
    const errors = [...results.errors, ...(fatal ? scripted(script, step) : [])];
    klog.info(`Step "${title}" ended`);
    if (errors.length > 0) {
      klog.warning(`Got errors during step execution: [${errors.join('\n')}]`);
    }
    cases.push(...casesOf(`${name}: ${title}`, step, seconds, errors));
    summaries.push(...results.summaries);
  }
  return { cases, summaries };
}

async function runStep(cluster: FakeCluster, step: FakeStep, prometheus: boolean) {
  const errors: string[] = [];
  const summaries: FakeSummary[] = [];
  for (const phase of step.phases ?? []) errors.push(...(await runPhase(cluster, phase)));
  const measured = await Promise.all(
    (step.measurements ?? []).map((one) => measure(cluster, one, prometheus)),
  );
  for (const one of measured) {
    errors.push(...one.errors);
    summaries.push(...one.summaries);
  }
  return { errors, summaries };
}

function casesOf(
  title: string,
  { measurements }: FakeStep,
  seconds: number,
  errors: readonly string[],
): readonly FakeCase[] {
  if (measurements === undefined) return [{ name: title, seconds, errors }];
  return measurements.map(({ identifier }, entry) => ({
    name: `${title} [${String(entry).padStart(2, '0')}] - ${identifier}`,
    seconds,
    errors: entry === 0 ? errors : [],
  }));
}

/** Endings that come in the middle of a step. */
async function meetEnd({ ending }: ScriptedEnding): Promise<void> {
  if (ending === 'killed') process.kill(process.pid, 'SIGKILL');
  if (ending === 'hang' || ending === 'killed') await systemClock.sleep(A_DAY);
  if (ending === 'panic') {
    process.stderr.write(
      'panic: runtime error: invalid memory address\n\ngoroutine 1 [running]:\n',
    );
  }
  if (ending === 'panic' || ending === 'code-2') process.exit(2);
}

const A_DAY = 24 * 3_600_000;

function scripted({ ending }: ScriptedEnding, { name, measurements }: FakeStep): readonly string[] {
  const call = `measurement call ${measurements?.[0]?.method ?? 'Phase'} - ${name} error`;
  if (ending === 'step-error') return [`${call}: 3 out of 4 pods are not running`];
  if (ending === 'violation') {
    return [`${call}: [Perc99: sample above threshold: want: less or equal than 1, got: 3.5]`];
  }
  return [];
}
