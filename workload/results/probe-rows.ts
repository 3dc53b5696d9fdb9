import { FIXED_MEASUREMENTS, type Row } from '../../model/row.js';
import { makeRow, type RowFrame } from './make-row.js';
import { quantiles } from '../../model/percentiles.js';
import { propagationOf, removalOf, type ProbeLine } from './probe-line.js';

/** One row per probe and peer, and one of quantiles per directed pair and thing observed. */
export function probeRows(frame: RowFrame, lines: readonly ProbeLine[]): readonly Row[] {
  return [...lines.map((line) => probeRow(frame, line)), ...summaryRows(frame, lines)];
}

function probeRow(frame: RowFrame, line: ProbeLine): Row {
  const seen = propagationOf(line) !== undefined;
  return makeRow(frame, {
    kind: 'probe',
    group: frame.facts.group,
    measurement: FIXED_MEASUREMENTS.propagation,
    result: { data: line, unit: 'ns' },
    unit: 'ns',
    phase: line.phase,
    source: line.src_cluster,
    target: line.peer_cluster,
    item: `${line.probe ?? ''}/${line.observe ?? ''}/${line.probe_id}`,
    state: seen ? 'present' : 'missing',
    reason: seen ? undefined : (line.reason ?? 'not seen by the peer within the budget'),
  });
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
    state: found === undefined ? 'missing' : 'present',
    reason: found === undefined ? `none of ${asked} probes was seen within the budget` : undefined,
  });
}
