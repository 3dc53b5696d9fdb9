import type { AttemptEnding } from '../../model/attempt-outcome.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { RunPlan } from '../../model/run-plan.js';
import { roleOf, type ConnectedCluster } from '../inventory/cluster-connection.js';
import type { EngineFindings } from '../native/cluster-engine.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import type { Progress } from '../platform/progress.js';
import { openAttemptLog, type AttemptLog } from './attempt-log.js';
import { endedText, type AttemptRecord } from './attempt-record.js';
import { runAttempt } from './attempt.js';
import { nativeEngine, type CreateEngine } from './create-engine.js';
import { startHeartbeat } from './heartbeat.js';
import type { Journal } from './journal.js';
import type { PhaseSync } from './phase-sync.js';
import { isPassing } from './retry-policy.js';
import type { RunPaths } from './run-paths.js';
import { unlimited } from './unlimited.js';
import { writeFolder } from './write-folder.js';

/** What an attempt on one cluster works with. */
export interface OnClusterSetting {
  readonly plan: RunPlan;
  readonly paths: RunPaths;
  readonly journal: Journal;
  readonly sync: PhaseSync;
  readonly attempt: number;
  /** Why there was another attempt before this one. @default - it is the first */
  readonly after?: string | undefined;
  /** When the cluster's own time is over, whichever attempt it is in. */
  readonly deadlineNs: bigint;
  readonly clock: Clock;
  readonly progress: Progress;
  /** @default - our own engine */
  readonly createEngine?: CreateEngine | undefined;
  /** The user's interruption. */
  readonly signal: AbortSignal;
}

/** What running on one cluster gave. */
export interface RunOnCluster {
  readonly record: AttemptRecord;
  readonly findings?: EngineFindings | undefined;
}

/** One attempt on one cluster with its folder, journal lines and heartbeat. */
export async function runOnCluster(
  cluster: ConnectedCluster,
  setting: OnClusterSetting,
): Promise<RunOnCluster> {
  const { attempt, journal, paths, after } = setting;
  const role = roleOf(cluster);
  const places = paths.attempt(role, attempt);
  return await writeFolder(paths, async () => {
    await ensureDirectory(places.root);
    const why = after === undefined ? {} : { data: { after } };
    await journal.append({ event: 'attempt-started', cluster: role, attempt, ...why });
    const log = openAttemptLog(places.log, setting.clock);
    try {
      const run =
        cluster.state === 'unreachable'
          ? { record: neverRan(cluster, setting) }
          : await execute(cluster, setting, log);
      // Before anything is evaluated: who kills us now loses the values, and nothing else.
      await writeAtomic(places.outcome, endedText(run.record, run.findings));
      const data = { state: run.record.ending.state };
      await journal.append({ event: 'attempt-ended', cluster: role, attempt, data });
      return run;
    } finally {
      await log.close();
    }
  });
}

async function execute(
  { connection }: ConnectedCluster & { state: 'connected' },
  setting: OnClusterSetting,
  log: AttemptLog,
): Promise<RunOnCluster> {
  const { plan, clock, attempt, deadlineNs, progress, sync } = setting;
  const { role } = connection.cluster;
  const over = new AbortController();
  const heartbeat = startHeartbeat(connection.kube, clock, over.signal);
  const budget = budgetSignal(clock, deadlineNs, over.signal);
  const ended: Pick<AttemptRecord, 'engine'>[] = [];
  const engine = (setting.createEngine ?? nativeEngine)({
    ...{ plan, connection, clock, secret: setting.paths.secret, log: log.line },
    places: setting.paths.attempt(role, attempt),
    onOutcome: (outcome) => ended.push({ engine: outcome }),
  });
  try {
    const record = await runAttempt({
      role,
      attempt,
      scenario: plan.scenario,
      engine,
      sync,
      clock,
      progress,
      deadlineNs,
      signal: unlimited(AbortSignal.any([setting.signal, heartbeat.signal, budget])),
      endingOfAbort: () => endingOfAbort(heartbeat.lost(), setting.signal, budget),
      mayComeBack: (ending) => isPassing({ ending, ...ended.at(-1) }),
      log: log.line,
    });
    const findings = engine.findings(startupPhases(plan));
    for (const remark of findings.remarks) log.line(remark);
    return { record: { ...record, ...ended.at(-1) }, findings };
  } finally {
    engine.stop();
    over.abort(new Error('the attempt has ended'));
  }
}

/** Interruption first: a cluster that seems lost while everything stops is not to blame. */
function endingOfAbort(
  lost: ReturnType<ReturnType<typeof startHeartbeat>['lost']>,
  interrupted: AbortSignal,
  budget: AbortSignal,
): AttemptEnding | undefined {
  if (interrupted.aborted) return { state: 'interrupted', text: 'the run was interrupted' };
  if (lost !== undefined) return { state: 'failed', ...lost };
  if (!budget.aborted) return undefined;
  const text = "the scenario's budget was over before its phases were";
  return { state: 'failed', cause: 'workload-failed', code: 'budget-exceeded', text };
}

function budgetSignal(clock: Clock, deadlineNs: bigint, over: AbortSignal): AbortSignal {
  const budget = new AbortController();
  const left: Milliseconds = Math.max(0, millisecondsBetween(clock.monoNs(), deadlineNs));
  const expire = (): void => {
    budget.abort(new Error("the scenario's budget is over"));
  };
  clock.sleep(left, over).then(expire, () => undefined);
  return budget.signal;
}

/** The phases whose pods are measured: those of the planned measurement, else all. */
function startupPhases({ expected, scenario }: RunPlan): readonly string[] {
  const names = scenario.phases.map(({ name }) => name);
  const planned = expected.find(({ id }) => id === 'PodStartupLatency');
  if (planned === undefined) return names;
  return names.slice(names.indexOf(planned.phase), names.indexOf(planned.through) + 1);
}

function neverRan(
  { cluster, errors }: ConnectedCluster & { state: 'unreachable' },
  { attempt, clock, progress }: OnClusterSetting,
): AttemptRecord {
  const [first] = errors;
  const text = errors
    .map(({ problem, given }) => (given === undefined ? problem : `${problem}: ${given}`))
    .join('; ');
  progress.report({ subject: cluster.role, state: 'failed', text });
  const ending: AttemptEnding = {
    state: 'failed',
    cause: 'infrastructure',
    code: first?.code.split('/').at(-1) ?? 'unreachable',
    text,
    ...(first === undefined ? {} : { next: first.next }),
  };
  const at = clock.now();
  const times = { startedAt: at, endedAt: at };
  const nothing = { phases: [], stimuli: [], replaced: [], steps: [] };
  return { cluster: cluster.role, attempt, ...times, ending, ...nothing };
}
