import type { CiliumKind } from './cilium-kinds.js';

/** How a write ended, as counted. */
export type WriteOutcome = 'written' | 'gone' | 'conflict' | 'failed';

/** What is read at the moment of a scrape. */
export interface AgentGauges {
  /** Objects in the API server, as far as we know. */
  objects(): Readonly<Record<CiliumKind, number>>;
  queueDepth(): number;
  /** Lists after the first, by what was listed. */
  relists(): Readonly<Record<string, number>>;
}

/** Counters of the controller, and their text for Prometheus. */
export interface AgentMetrics {
  countWrite(kind: CiliumKind, verb: 'create' | 'patch' | 'delete', outcome: WriteOutcome): void;
  countRetry(): void;
  countResync(): void;
  /** The text format of Prometheus. */
  text(gauges: AgentGauges): string;
}

/** Counters at zero. */
export function createAgentMetrics(): AgentMetrics {
  const writes = new Map<string, number>();
  let retries = 0;
  let resyncs = 0;
  return {
    countWrite: (kind, verb, outcome) => {
      const labels = `kind="${kind}",verb="${verb}",result="${outcome}"`;
      writes.set(labels, (writes.get(labels) ?? 0) + 1);
    },
    countRetry: () => {
      retries += 1;
    },
    countResync: () => {
      resyncs += 1;
    },
    text: (gauges) =>
      [
        ...family('objects', 'gauge', 'Objects written and not removed.', kinds(gauges.objects())),
        ...family('queue_depth', 'gauge', 'Keys that wait or are worked on.', [
          ['', gauges.queueDepth()],
        ]),
        ...family('writes_total', 'counter', 'Writes by how they ended.', [...writes]),
        ...family('retries_total', 'counter', 'Tasks that come again.', [['', retries]]),
        ...family('resyncs_total', 'counter', 'Comparisons with the API server.', [['', resyncs]]),
        ...family('relists_total', 'counter', 'Lists after the first.', sources(gauges.relists())),
        '',
      ].join('\n'),
  };
}

type Sample = readonly [labels: string, value: number];

function family(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  samples: readonly Sample[],
): readonly string[] {
  const full = `meshscale_agent_${name}`;
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...samples.map(([labels, value]) => `${full}${labels === '' ? '' : `{${labels}}`} ${value}`),
  ];
}

function kinds(objects: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(objects).map(([kind, count]) => [`kind="${kind}"`, count]);
}

function sources(relists: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(relists).map(([source, count]) => [`source="${source}"`, count]);
}
