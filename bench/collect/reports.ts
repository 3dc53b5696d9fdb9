import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterRoles } from '../../model/cluster-identity.js';
import type { Random } from '../../workload/platform/random.js';

/** Rows with a measured value that each cluster of {@link writeReports} gives. */
export const ROWS_PER_CLUSTER = 411;

/**
 * Writes the report folders of `count` clusters under `root` as ClusterLoader2 leaves them after a
 * pod-churn-combined: 85 measurement files each, of which one has 315 API resources and verbs.
 * Numbers are invented. @see data/results-schema.md §6
 */
export function writeReports(root: string, count: number, random: Random): void {
  for (const role of clusterRoles(count)) {
    const folder = join(root, role);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of reportFiles(random)) writeFileSync(join(folder, name), text);
  }
}

/** The files of one report folder, by name. */
export function reportFiles(random: Random): ReadonlyMap<string, string> {
  const files = new Map<string, string>([
    ['junit.xml', junit()],
    ['cl2-metadata.json', '{}'],
    [`generatedConfig_${TEST}.yaml`, 'name: pod-churn-combined\n'.repeat(400)],
  ]);
  const add = (summary: string, content: object) => {
    files.set(`${summary}_${TEST}_${STAMP}.json`, JSON.stringify(content, undefined, 2));
  };
  for (let index = 0; index < QUERIES; index++) {
    const data = percentiles(random);
    add(`GenericPrometheusQuery ClusterMesh ${NAMES[index % NAMES.length] ?? ''} ${index}`, {
      version: 'v1',
      dataItems: [{ data, unit: 's' }],
    });
  }
  for (const kind of ['', 'Stateless', 'Stateful']) {
    const items = STARTUP_STEPS.map((Metric) => item({ Metric }, random));
    add(`${kind}PodStartupLatency_PodStartupLatency`, { version: '1.0', dataItems: items });
  }
  const calls = Array.from({ length: API_ITEMS }, (_, index) => item(apiCall(index), random));
  add('APIResponsivenessPrometheus', { version: 'v1', dataItems: calls });
  add('SchedulingThroughputPrometheus', { max: random.integer(1, 100) });
  return files;
}

const TEST = 'pod-churn-combined';
const STAMP = '2026-05-15T03:00:00Z';
const QUERIES = 80;
const API_ITEMS = 315;
const STARTUP_STEPS = [
  'create_to_schedule',
  'schedule_to_run',
  'run_to_watch',
  'schedule_to_watch',
  'pod_startup',
];
const NAMES = ['Kvstore Operation Duration', 'Etcd Fsync Duration', 'Kvstore Sync Queue Size'];
const VERBS = ['DELETE', 'GET', 'LIST', 'PATCH', 'POST', 'PUT', 'WATCH'];

function percentiles(random: Random): object {
  const value = () => random.integer(1, 1e9) / 1e6;
  return { Perc50: value(), Perc90: value(), Perc99: value() };
}

function item(labels: object, random: Random): object {
  return { data: percentiles(random), unit: 'ms', labels };
}

/** Each index gives another call. */
function apiCall(index: number): object {
  return {
    Count: String(100 + index),
    Resource: `ciliumresource${Math.floor(index / VERBS.length)}s`,
    Scope: index % 3 === 0 ? 'cluster' : 'namespace',
    SlowCount: '0',
    Subresource: index % 5 === 0 ? 'status' : '',
    Verb: VERBS[index % VERBS.length] ?? '',
  };
}

function junit(): string {
  const steps = Array.from(
    { length: 40 },
    (_, index) =>
      `<testcase name="${TEST}: [step: ${index}] Gather [00] - One" classname="ClusterLoaderV2" time="1.5"></testcase>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="ClusterLoaderV2" tests="0" failures="0" errors="0" time="900.5">
<testcase name="${TEST} overall (/config.yaml)" classname="ClusterLoaderV2" time="900.5"></testcase>
${steps.join('\n')}
</testsuite>`;
}
