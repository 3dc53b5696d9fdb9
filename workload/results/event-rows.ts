import type { Row } from '../../model/row.js';
import { makeRow, type RowFrame, type RowPart } from './make-row.js';
import { isRecord } from './is-record.js';
import type { EventReading } from './read-attempt.js';

/** One row per event of a fault script's or probe's file; one more per operation of a node churn. */
export function eventRows(frame: RowFrame, { known, events }: EventReading): readonly Row[] {
  const parts = events.flatMap((event) => partsOf(known, event));
  return parts.map(({ measurement, group, data }, index) =>
    makeRow(frame, {
      kind: known.kind,
      group,
      measurement,
      result: { data, unit: known.unit },
      unit: known.unit,
      ...stateOf(data),
      source: textAt(data, 'src_cluster'),
      target: textAt(data, 'peer_cluster') ?? textAt(data, 'peer_role'),
      item: itemOf(data, index),
    }),
  );
}

type Event = Readonly<Record<string, unknown>>;

interface EventPart {
  readonly measurement: string;
  readonly group: string;
  readonly data: Event;
}

/** @see data/results-schema.md §2, fault and probe rows */
function partsOf(known: EventReading['known'], event: Event): readonly EventPart[] {
  const { measurement } = known;
  if (measurement !== 'NodeChurnSummary') return [{ measurement, group: known.group, data: event }];
  const group = textAt(event, 'scenario') ?? known.group;
  const fields = Object.entries(event).map(([name, value]) => ({
    name,
    value,
    operations: operationsIn(value),
  }));
  const summary = Object.fromEntries(
    fields
      .filter(({ operations }) => operations.length === 0)
      .map(({ name, value }) => [name, value]),
  );
  const operations = fields.flatMap((field) => field.operations);
  return [
    { measurement, group, data: { ...summary, op_count: event['op_count'] ?? operations.length } },
    ...operations.map((operation, index) => ({
      measurement: 'NodeChurnOpTiming',
      group,
      data: { ...summary, op_index: index, ...operation },
    })),
  ];
}

/** The script's list of operations, whatever it is called. */
function operationsIn(value: unknown): readonly Event[] {
  if (!Array.isArray(value)) return [];
  const events = value.filter(isRecord);
  return events.every((event) => 'op_type' in event) ? events : [];
}

/** A probe that was not seen has no time: its zeros are no latencies. */
function stateOf(data: Event): Pick<RowPart, 'state' | 'reason'> {
  const late = TIMED_OUT.find((name) => data[name] === true || data[name] === 1);
  if (late !== undefined) return { state: 'missing', reason: `not seen in time (${late})` };
  const error = textAt(data, 'error') ?? '';
  const nothing = error !== '' && !Object.keys(data).some((name) => TIME.test(name));
  return nothing ? { state: 'missing', reason: error } : { state: 'present' };
}

const TIMED_OUT = ['peer_timed_out', 'peer_remove_timed_out', 'timed_out'];
const TIME = /^(t_|delta_|duration|start_epoch)/;

/** What tells events apart; their place in the file when they say nothing themselves. */
function itemOf(event: Event, index: number): string {
  const named = ['probe_id', 'iter', 'type', 'role', 'phase', 'op_index', 'rung_index'].flatMap(
    (name) => textAt(event, name) ?? [],
  );
  return named.length === 0 ? String(index) : named.join('/');
}

function textAt(event: Event, name: string): string | undefined {
  const value = event[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
