import { FIXED_MEASUREMENTS, type Row } from '../../model/row.js';
import { makeRow, type RowFrame } from './make-row.js';
import { quantiles } from '../../model/percentiles.js';
import { propagationOf, removalOf, type ProbeLine } from './probe-line.js';

/** One row per probe and peer, one more per removal, and one of quantiles per directed pair and thing observed. */
export function probeRows(frame: RowFrame, lines: readonly ProbeLine[]): readonly Row[] {
  return [
    ...lines.map((line) => probeRow(frame, line)),
    ...lines.filter(wasRemoved).map((line) => removalRow(frame, line)),
    ...summaryRows(frame, lines),
  ];
}

function probeRow(frame: RowFrame, line: ProbeLine): Row {
  const seen = propagationOf(line) !== undefined;
  const absent = frame.facts.probes.unwatchable === undefined ? 'missing' : 'not-applicable';
  return makeRow(frame, {
    ...observation(frame, line),
    measurement: FIXED_MEASUREMENTS.propagation,
    result: { data: line, unit: 'ns' },
    state: seen ? 'present' : absent,
    reason: seen ? undefined : (line.reason ?? 'not seen by the peer within the budget'),
  });
}

/** Undefined: it never was there to be removed; null: it was, and did not go in time. */
function wasRemoved({ removal_ms: removal }: ProbeLine): boolean {
  return removal !== undefined;
}

/** The removal alone, under the name and with the time field that earlier tools give it. */
function removalRow(frame: RowFrame, line: ProbeLine): Row {
  const gone = removalOf(line);
  const own = Object.entries(line).filter(([name]) => REMOVAL_FIELD.test(name));
  const data = { ...Object.fromEntries<unknown>(own), delta_remove_ms: gone ?? null };
  return makeRow(frame, {
    ...observation(frame, line),
    measurement: FIXED_MEASUREMENTS.removal,
    result: { data, unit: 'ns' },
    state: gone === undefined ? 'missing' : 'present',
    reason:
      gone === undefined
        ? (line.removal_reason ?? 'not gone from the peer within the budget')
        : undefined,
  });
}

/** @see data/results-schema.md §2 */
const REMOVAL_FIELD =
  /^(probe|probe_id|probe_ns|observe|phase|src_cluster|peer_cluster|label_uuid|pod_ip|pod_hostname)$|remov|delete|gone/;

function observation({ facts }: RowFrame, line: ProbeLine) {
  return {
    kind: 'probe',
    group: facts.group,
    unit: 'ns',
    phase: line.phase,
    source: line.src_cluster,
    target: line.peer_cluster,
    item: `${line.probe ?? ''}/${line.observe ?? ''}/${line.probe_id}`,
  } as const;
}

interface PairGroup {
  readonly line: ProbeLine;
  readonly metric: string;
  readonly values: number[];
  asked: number;
}

function summaryRows(frame: RowFrame, lines: readonly ProbeLine[]): readonly Row[] {
  const groups = new Map<string, PairGroup>();
  const add = (line: ProbeLine, metric: string, value: number | undefined): void => {
    const id = JSON.stringify([line.probe, metric, line.src_cluster, line.peer_cluster]);
    const group = groups.get(id) ?? { line, metric, values: [], asked: 0 };
    group.asked += 1;
    if (value !== undefined) group.values.push(value);
    groups.set(id, group);
  };
  for (const line of lines) {
    add(line, line.observe ?? 'seen', propagationOf(line));
    if (line.removal_ms !== undefined)
      add(line, `${line.observe ?? 'seen'}-removed`, removalOf(line));
  }
  return [...groups.values()].map((group) => summaryRow(frame, group));
}

function summaryRow(frame: RowFrame, { line, metric, values, asked }: PairGroup): Row {
  const found = quantiles(values);
  const { unwatchable } = frame.facts.probes;
  const labels = { Metric: metric, ...(line.probe === undefined ? {} : { Probe: line.probe }) };
  const data = {
    Perc50: found?.p50 ?? null,
    Perc90: found?.p90 ?? null,
    Perc99: found?.p99 ?? null,
    Max: found?.max ?? null,
    Seen: values.length,
    Asked: asked,
  };
  return makeRow(frame, {
    kind: 'measurement',
    group: frame.facts.group,
    measurement: FIXED_MEASUREMENTS.propagationSummary,
    result: { data, unit: 'ms', labels },
    unit: 'ms',
    labels,
    source: line.src_cluster,
    target: line.peer_cluster,
    samples: values.length,
    state:
      found !== undefined ? 'present' : unwatchable === undefined ? 'missing' : 'not-applicable',
    reason: found === undefined ? `none of ${asked} probes was seen within the budget` : undefined,
  });
}
