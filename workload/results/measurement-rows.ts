import type { Row } from '../../model/row.js';
import { makeRow, type RowFrame } from './make-row.js';
import type { DataItem } from './perf-data.js';
import { nothingStarted, plannedName } from './pod-startup-files.js';
import type { AttemptReading, EventReading, SummaryReading } from './read-attempt.js';

/** One row per item of a measurement file, one per file that has no items, one per event. */
export function measurementRows(frame: RowFrame, reading: AttemptReading): readonly Row[] {
  return [
    ...reading.summaries.flatMap((summary) => summaryRows(frame, summary)),
    ...reading.events.flatMap((file) => eventRows(frame, file)),
  ];
}

function summaryRows(frame: RowFrame, reading: SummaryReading): readonly Row[] {
  const { summary, content } = reading;
  const { measurement, group, stamp } = summary;
  const planned = plannedName(measurement);
  const phase = frame.facts.expected.find((one) => one.measurement === planned)?.phase;
  const common = { kind: 'measurement', group, measurement, stamp, phase } as const;
  if (content.kind === 'whole') {
    const result = isRecord(content.value) ? content.value : { data: content.value };
    const reason = repairedReason(content.repaired);
    return [makeRow(frame, { ...common, result, unit: '', state: 'present', reason })];
  }
  const ordered = withOrdinals(content.items);
  const zeros = nothingStarted(reading);
  return ordered.map(({ item, ordinal }) =>
    makeRow(frame, {
      ...common,
      ...(zeros ? NOTHING_STARTED : itemState(item)),
      result: { ...item },
      unit: item.unit,
      labels: item.labels,
      item: ordinal === 0 ? undefined : String(ordinal),
    }),
  );
}

const NOTHING_STARTED = {
  state: 'empty',
  reason: 'no pod of this kind was seen starting: these zeros are no latencies',
} as const;

/** A file may hold several items with equal labels: they are told apart by their sorted order. */
function withOrdinals(items: readonly DataItem[]) {
  const seen = new Map<string, number>();
  const sorted = items
    .map((item) => ({ item, labels: labelText(item), text: JSON.stringify(item.data) }))
    .sort((a, b) => compare(a.labels, b.labels) || compare(a.text, b.text));
  return sorted.map(({ item, labels }) => {
    const ordinal = seen.get(labels) ?? 0;
    seen.set(labels, ordinal + 1);
    return { item, ordinal };
  });
}

function labelText(item: DataItem): string {
  const sorted = Object.entries(item.labels ?? {}).sort(([a], [b]) => compare(a, b));
  return JSON.stringify(sorted);
}

function itemState({ data }: DataItem): Pick<Row['meshscale'], 'state' | 'reason'> {
  const values = Object.entries(data);
  if (values.length === 0) return { state: 'empty', reason: 'the item has no values' };
  const without = values.filter(([, value]) => value === null).map(([name]) => name);
  if (without.length === 0) return { state: 'present' };
  const reason = `no finite number: ${without.sort().join(', ')}`;
  return { state: without.length === values.length ? 'missing' : 'present', reason };
}

function repairedReason(repaired: readonly string[]): string | undefined {
  return repaired.length === 0 ? undefined : `no finite number: ${repaired.join(', ')}`;
}

function eventRows(frame: RowFrame, { known, events }: EventReading): readonly Row[] {
  return events.map((event, index) =>
    makeRow(frame, {
      kind: known.kind,
      group: known.group,
      measurement: known.measurement,
      result: { data: event, unit: known.unit },
      unit: known.unit,
      state: 'present',
      source: textAt(event, 'src_cluster'),
      target: textAt(event, 'peer_cluster') ?? textAt(event, 'peer_role'),
      item: eventItem(event, index),
    }),
  );
}

/** What tells events apart; their place in the file when they say nothing themselves. */
function eventItem(event: Readonly<Record<string, unknown>>, index: number): string {
  const named = ['probe_id', 'iter', 'type', 'role', 'phase', 'op_index', 'rung_index'].flatMap(
    (name) => textAt(event, name) ?? [],
  );
  return named.length === 0 ? String(index) : named.join('/');
}

function textAt(event: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = event[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
