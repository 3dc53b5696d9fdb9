import { rowKeys, sortedLabels } from '../../model/row-key.js';
import type { Row } from '../../model/row.js';
import { eventRows } from './event-rows.js';
import { makeRow, type RowFrame, type RowPart } from './make-row.js';
import type { DataItem } from './perf-data.js';
import { isRecord } from './is-record.js';
import { nothingStarted, plannedName } from './pod-startup-files.js';
import type { AttemptReading, SummaryReading } from './read-attempt.js';

/** One row per item of a measurement file, one per file that has no items, one per event. */
export function measurementRows(frame: RowFrame, reading: AttemptReading): readonly Row[] {
  const phases = new Map(frame.facts.expected.map((one) => [one.measurement, one.phase]));
  return [
    ...reading.summaries.flatMap((summary) => {
      const phase = phases.get(plannedName(summary.summary.measurement));
      return summaryRows(frame, summary, phase);
    }),
    ...reading.events.flatMap((file) => eventRows(frame, file)),
  ];
}

function summaryRows(
  frame: RowFrame,
  reading: SummaryReading,
  phase: string | undefined,
): readonly Row[] {
  const { summary, content } = reading;
  if (content.kind === 'items') return itemRows(frame, reading, content.items, phase);
  const { measurement, group, stamp } = summary;
  const result = isRecord(content.value) ? content.value : { data: content.value };
  const reason = repairedReason(content.repaired);
  const common = { kind: 'measurement', group, measurement, stamp, phase } as const;
  return [makeRow(frame, { ...common, result, unit: '', state: 'present', reason })];
}

/** Most rows of a run come from here, so what a file's rows share is made once. */
function itemRows(
  frame: RowFrame,
  reading: SummaryReading,
  items: readonly DataItem[],
  phase: string | undefined,
): readonly Row[] {
  const { measurement, group, stamp } = reading.summary;
  const { runId, testType } = frame.facts;
  const keyOf = rowKeys({ runId, testType, cluster: frame.cluster, group, measurement });
  const zeros = nothingStarted(reading);
  return withOrdinals(items).map(({ item, labels, ordinal }) => {
    const reason = zeros ? NOTHING_STARTED : whyIncomplete(item);
    return makeRow(frame, {
      kind: 'measurement',
      group,
      measurement,
      result: item,
      unit: item.unit,
      state: zeros ? 'empty' : stateOf(item),
      reason,
      stamp,
      phase,
      key: keyOf(labels, { phase, item: ordinal === 0 ? undefined : String(ordinal) }),
    });
  });
}

const NOTHING_STARTED = 'no pod of this kind was seen starting: these zeros are no latencies';

interface OrderedItem {
  readonly item: DataItem;
  /** {@link sortedLabels} of what identifies it. */
  readonly labels: string;
  readonly ordinal: number;
}

/** A file may hold several items with equal labels: they are told apart by their sorted order. */
function withOrdinals(items: readonly DataItem[]): readonly OrderedItem[] {
  const labelled = items.map((item) => ({
    item,
    labels: sortedLabels(item.labels, COUNTS),
    ordinal: 0,
  }));
  if (allDiffer(labelled)) return labelled;
  const seen = new Map<string, number>();
  return labelled
    .sort((a, b) => compareData(a.item, b.item))
    .map(({ item, labels }) => {
      const ordinal = seen.get(labels) ?? 0;
      seen.set(labels, ordinal + 1);
      return { item, labels, ordinal };
    });
}

function allDiffer(items: readonly OrderedItem[]): boolean {
  return items.length < 2 || new Set(items.map(({ labels }) => labels)).size === items.length;
}

/**
 * ClusterLoader2 hands counts of calls down as labels. They are values: a second attempt counts
 * differently, and its row must still replace the first one's. @see data/clusterloader2.md §4.3
 */
const COUNTS: ReadonlySet<string> = new Set(['Count', 'SlowCount']);

function compareData(a: DataItem, b: DataItem): number {
  return compare(JSON.stringify(a.data), JSON.stringify(b.data));
}

function stateOf({ data }: DataItem): RowPart['state'] {
  let [values, present] = [0, 0];
  for (const name in data) {
    values += 1;
    if (data[name] !== null) present += 1;
  }
  if (values === 0) return 'empty';
  return present === 0 ? 'missing' : 'present';
}

function whyIncomplete({ data }: DataItem): string | undefined {
  const names = Object.keys(data);
  if (names.length === 0) return 'the item has no values';
  const without = names.filter((name) => data[name] === null);
  return repairedReason(without.sort());
}

function repairedReason(without: readonly string[]): string | undefined {
  return without.length === 0 ? undefined : `no finite number: ${without.join(', ')}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
