import { UserError, UserErrors } from '../../../model/user-error.js';
import { parseThresholds } from '../../../workload/compare/thresholds.js';
import type { Random } from '../../../workload/platform/random.js';
import { readJunit } from '../../../workload/results/junit-in.js';
import { readPerfFile } from '../../../workload/results/perf-data.js';
import { mutate } from './mutate.js';

/** Something that must bear any input: a case throws when it does not. */
export interface FuzzTarget {
  readonly name: string;
  case(random: Random): void;
}

/** Readers of texts. The collector needs a folder: {@link collectorTarget}. */
export const TEXT_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'junit',
    case: (random) => {
      junitCase(mutate(oneOf(JUNITS, random), random));
    },
  },
  {
    name: 'perf-data',
    case: (random) => {
      perfCase(mutate(oneOf(PERF_FILES, random), random));
    },
  },
  {
    name: 'thresholds',
    case: (random) => {
      thresholdCase(mutate(THRESHOLDS, random));
    },
  },
];

function junitCase(text: string): void {
  const junit = readJunit(text);
  if (junit.state !== 'read') return;
  for (const count of [junit.cases, junit.failures, junit.errors]) {
    if (!Number.isSafeInteger(count) || count < 0) throw new Error(`no count: ${count}`);
  }
  if (junit.failing.length > 0 && junit.failures + junit.errors === 0) {
    throw new Error('a failing case is not counted');
  }
}

function perfCase(text: string): void {
  const file = readPerfFile(text);
  if (file.kind !== 'items') return;
  for (const { data, unit, labels } of file.items) {
    for (const value of Object.values(data)) {
      if (value !== null && !Number.isFinite(value)) throw new Error(`no number: ${value}`);
    }
    const texts = [unit, ...Object.values(labels ?? {})];
    if (texts.some((one) => typeof one !== 'string')) throw new Error('a label is no text');
  }
}

function thresholdCase(text: string): void {
  try {
    parseThresholds(text, 'thresholds.yaml');
  } catch (error) {
    if (!(error instanceof UserError || error instanceof UserErrors)) throw error;
  }
}

function oneOf(texts: readonly string[], random: Random): string {
  return texts[random.integer(0, texts.length - 1)] ?? '';
}

const JUNITS = [
  `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="ClusterLoaderV2" tests="0" failures="2" errors="0" time="900.5">
<testcase name="my_test overall (/c.yaml)" classname="ClusterLoaderV2" time="9"><failure type="Failure">:0&#xA;[a&#xA;b]&#xA;:0</failure></testcase>
<testcase name="my_test: [step: 02] Gather [00] - P" time="1.5e2"><failure type="Failure">too high latency</failure></testcase>
</testsuite>`,
  '<testsuites><testsuite errors="1"><testcase name="a"><error message="m"/></testcase></testsuite><testsuite><testcase name="b"/></testsuite></testsuites>',
];

const PERF_FILES = [
  '{"version":"v1","dataItems":[{"data":{"Perc50":0.004,"Perc99":1.9e-1},"unit":"s","labels":{"Verb":"POST"}},{"data":{},"unit":""}],"labels":{}}',
  '{"version":"v1","dataItems":null}',
  '{"max":3.5}',
];

const THRESHOLDS = `schemaVersion: 1
thresholds:
  - { measurement: ClusterMeshEtcdMvccKeys, query: Max, atMost: 5000, of: median }
  - measurement: APIResponsivenessPrometheus
    query: Perc99
    labels: { Verb: POST }
    phase: burst
    atMost: 1s
    worseBy: 20%
`;
