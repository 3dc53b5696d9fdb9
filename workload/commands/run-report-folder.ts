import { rm } from 'node:fs/promises';
import type { RunPlan } from '../../model/run-plan.js';
import type { Clock } from '../platform/clock.js';
import type { AttemptResult } from '../exec/report-attempts.js';
import type { Catalogue } from '../measure/catalogue.js';
import type { MeasuredValue } from '../measure/measured-value.js';
import type { EngineLatency } from '../native/cluster-engine.js';
import {
  apiResponsivenessSummary,
  podStartupSummaries,
  querySummary,
  type ReportLatency,
  type ReportSummary,
} from '../results/report-summaries.js';
import { writeReportFolder, writeSummaries } from '../results/write-report-folder.js';

/** Writes what the native engine found as a report folder in ClusterLoader2's format. */
export async function writeNativeReport(
  folder: string,
  result: AttemptResult,
  about: { readonly plan: RunPlan; readonly catalogue: Catalogue; readonly clock: Clock },
): Promise<void> {
  const { record } = result;
  const { scenario } = about.plan;
  const { ending } = record;
  // What a runner that was killed has begun to write would stand beside it.
  await rm(folder, { recursive: true, force: true });
  const failure =
    ending.state === 'finished' ? [] : [{ title: 'attempt', duration: 0, failures: [ending.text] }];
  // What failed a step is told there already.
  const told = record.steps.some(({ failures }) => (failures ?? []).length > 0);
  await writeReportFolder(folder, {
    test: scenario.group,
    source: scenario.name,
    duration: record.endedAt - record.startedAt,
    steps: [...record.steps, ...(told ? [] : failure)],
    summaries: summariesOf(result, about),
    gatheredAt: about.clock.now(),
  });
}

/** Puts what we asked Prometheus ourselves beside the files that ClusterLoader2 has written. */
export async function writeEvaluated(
  folder: string,
  result: AttemptResult,
  about: { readonly plan: RunPlan; readonly catalogue: Catalogue; readonly clock: Clock },
): Promise<void> {
  // Pod startup it has measured itself.
  const summaries = summariesOf({ ...result, findings: undefined }, about);
  const test = about.plan.scenario.group;
  await writeSummaries(folder, { test, summaries, gatheredAt: about.clock.now() });
}

function summariesOf(
  { values, findings }: AttemptResult,
  { plan, catalogue }: { readonly plan: RunPlan; readonly catalogue: Catalogue },
): readonly ReportSummary[] {
  const ids = [...new Set(values.map(({ measurement }) => measurement))];
  const queried = ids.flatMap((id) => {
    const own = values.filter(({ measurement }) => measurement === id);
    const [first] = own;
    // A file without samples would say that the target could have shown it.
    if (first === undefined || own.every(({ state }) => state === 'not-applicable')) return [];
    const method = catalogue.byId.get(id)?.method;
    if (method === 'APIResponsivenessPrometheus') return [apiSummary(own)];
    return [querySummary(first.metricName, first.unit, itemsOf(own))];
  });
  const wantsStartup = plan.expected.some(({ id }) => id === 'PodStartupLatency');
  if (!wantsStartup || findings === undefined) return queried;
  const { all, stateless, stateful } = findings.podStartup;
  const startups = podStartupSummaries({
    all: all.map(startupItem),
    stateless: stateless.map(startupItem),
    stateful: stateful.map(startupItem),
  });
  return [...queried, ...startups];
}

interface Item {
  readonly data: Readonly<Record<string, number>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** Values of one measurement with equal labels become one item: a query each. */
function itemsOf(values: readonly MeasuredValue[]): readonly Item[] {
  const items = new Map<string, { data: Record<string, number>; labels: Item['labels'] }>();
  for (const { query, labels, value } of values) {
    if (value === null) continue;
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const item = items.get(key) ?? { data: {}, labels };
    item.data[query] = value;
    items.set(key, item);
  }
  return [...items.values()];
}

function apiSummary(values: readonly MeasuredValue[]): ReportSummary {
  const latencies = itemsOf(values).flatMap(({ data, labels }) => {
    const { Perc50: perc50, Perc90: perc90, Perc99: perc99 } = data;
    if (perc50 === undefined || perc90 === undefined || perc99 === undefined) return [];
    return [{ labels: capitalized(labels), perc50, perc90, perc99 }];
  });
  return apiResponsivenessSummary(latencies);
}

/** `resource` is `Resource` there. */
function capitalized(labels: Item['labels']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [
      `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      value,
    ]),
  );
}

function startupItem({ metric, perc50, perc90, perc99 }: EngineLatency): ReportLatency {
  return { labels: { Metric: metric }, perc50, perc90, perc99 };
}
