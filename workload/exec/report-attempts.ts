import { join } from 'node:path';
import type { Milliseconds } from '../../model/quantity.js';
import type { RunPlan } from '../../model/run-plan.js';
import type { Catalogue } from '../measure/catalogue.js';
import type { EngineFindings } from '../native/cluster-engine.js';
import type { Clock } from '../platform/clock.js';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import type { Progress } from '../platform/progress.js';
import { outcomeText, type AttemptRecord } from './attempt-record.js';
import { evaluateCluster, type ClusterMetrics, type ClusterValues } from './evaluate-cluster.js';
import { fanOut } from './fan-out.js';
import type { RunOnCluster } from './run-on-cluster.js';
import type { RunPaths } from './run-paths.js';
import { unlimited } from './unlimited.js';
import { writeFolder } from './write-folder.js';

/** What an attempt gave, for whoever writes its report folder. */
export interface AttemptResult extends ClusterValues {
  readonly record: AttemptRecord;
  /** @default - the engine never ran */
  readonly findings?: EngineFindings | undefined;
}

/** What report folders are made with. */
export interface ReportSetting {
  readonly plan: RunPlan;
  readonly catalogue: Catalogue;
  readonly paths: RunPaths;
  /** The Prometheus of a cluster. */
  metricsOf(role: string): ClusterMetrics | undefined;
  /** How long after the end of a window Prometheus has scraped everything once more. */
  readonly scrapeInterval: Milliseconds;
  /** Writes a report folder in ClusterLoader2's format. */
  writeReport(folder: string, result: AttemptResult): Promise<void>;
  readonly clock: Clock;
  readonly progress: Progress;
}

/**
 * Asks the Prometheus of each cluster for what was measured and writes the report folders. A few at
 * once, and none is kept when it is on the disk: memory does not grow with the number of clusters.
 */
export async function reportAttempts(
  setting: ReportSetting,
  attempts: readonly RunOnCluster[],
): Promise<void> {
  const { clock, scrapeInterval, paths } = setting;
  if (attempts.length === 0) return;
  // The last scrape inside a window may still be under way; what came after the windows was time enough.
  const wait = lastMeasured(setting.plan, attempts) + scrapeInterval - clock.now();
  if (wait > 0) await clock.sleep(wait);
  await ensureDirectory(paths.metrics).catch(() => undefined);
  await fanOut(attempts, AT_ONCE, (attempt) => reportOne(setting, attempt));
}

async function reportOne(
  setting: ReportSetting,
  { record, findings }: RunOnCluster,
): Promise<void> {
  const { paths, progress } = setting;
  const { cluster, attempt, ending } = record;
  progress.report({ subject: cluster, state: 'running', text: 'reading its Prometheus' });
  const values = await evaluateCluster({
    ...{ ...setting, record },
    metrics: setting.metricsOf(cluster),
    rawFile: join(paths.metrics, `${cluster}.jsonl`),
    signal: unlimited(new AbortController().signal),
  });
  const { report, outcome } = paths.attempt(cluster, attempt);
  await writeFolder(paths, async () => {
    await setting.writeReport(report, { record, findings, ...values });
    // Again, now with the reasons of values that are not there.
    await writeAtomic(outcome, outcomeText(record, values.notes));
  });
  if (ending.state !== 'failed') {
    progress.report({ subject: cluster, state: 'done', text: ending.state });
  }
}

/** When the last window of a measurement ended, in any cluster; UTC milliseconds, 0 without any. */
function lastMeasured({ expected }: RunPlan, attempts: readonly RunOnCluster[]): Milliseconds {
  const last = new Set(expected.map(({ through }) => through));
  const ends = attempts.flatMap(({ record }) => {
    const reached = record.phases.filter(({ name }) => last.has(name));
    // One that did not come so far is evaluated until its end.
    const whole = reached.length === last.size;
    return whole ? reached.map(({ endedAt }) => endedAt) : [record.endedAt];
  });
  return Math.max(0, ...ends);
}

/** Ours: each asks its questions one after the other; a shared Prometheus bears this many askers. */
const AT_ONCE = 8;
