import {
  FIXED_MEASUREMENTS,
  type CoverageCount,
  type Row,
  type ValueState,
} from '../../model/row.js';
import { groupBy } from './group-by.js';
import { makeRow, type RowFrame } from './make-row.js';
import { isOfOneKind, nothingStarted } from './pod-startup-files.js';
import type { AttemptReading, SummaryReading } from './read-attempt.js';

/** Whether one measurement of one cluster is there. */
export interface MeasurementCoverage {
  readonly measurement: string;
  readonly group: string;
  readonly phase?: string | undefined;
  readonly count: CoverageCount;
  readonly state: ValueState;
  readonly reason?: string | undefined;
}

/**
 * Expected against present values of one cluster. With a plan, its measurements are what is
 * expected; without one, what the report folders hold is. Measurements that are there and were not
 * expected are listed too: nothing that was measured goes unseen.
 */
export function clusterCoverage(
  frame: RowFrame,
  readings: readonly AttemptReading[],
): readonly MeasurementCoverage[] {
  const found = foundMeasurements(readings);
  const planned = frame.facts.expected.map((one) => {
    const summaries = found.get(one.measurement);
    found.delete(one.measurement);
    const group = summaries?.[0]?.summary.group ?? frame.facts.group;
    const { measurement, phase } = one;
    const excuse = excuseOf(frame, measurement);
    return { measurement, group, phase, ...judge(one, summaries, readings, excuse) };
  });
  const others = [...found].filter(saysSomething).map(([measurement, summaries]) => {
    const group = summaries[0]?.summary.group ?? frame.facts.group;
    const judged = judge({ measurement, queries: [] }, summaries, readings);
    // A plan that does not name a measurement must not be called incomplete for want of it.
    return { measurement, group, ...(planned.length === 0 ? judged : unasked(judged)) };
  });
  return [...planned, ...others];
}

/** Why a cluster owes nothing: the whole scenario cannot be shown, or this measurement cannot. */
function excuseOf(
  { facts, cluster }: RowFrame,
  measurement: string,
): { readonly reason: string } | undefined {
  const [unmet] = facts.unmetNeeds;
  if (unmet !== undefined) return { reason: unmet };
  return facts.notApplicable.find(
    (one) => one.cluster === cluster && one.measurement === measurement,
  );
}

/** Only some of the startup files of a run can have values: none of StatefulSets is no gap. */
function saysSomething([measurement, summaries]: readonly [string, SummaryReading[]]): boolean {
  return !isOfOneKind(measurement) || summaries.some((one) => !nothingStarted(one));
}

/** The coverage of a cluster as rows, one for each measurement. */
export function coverageRows(
  frame: RowFrame,
  coverage: readonly MeasurementCoverage[],
): readonly Row[] {
  return coverage.map(({ measurement, group, phase, count, state, reason }) => {
    const labels = { Measurement: measurement };
    return makeRow(frame, {
      kind: 'coverage',
      group,
      measurement: FIXED_MEASUREMENTS.coverage,
      result: { data: count, unit: 'count', labels },
      unit: 'count',
      labels,
      phase,
      coverage: count,
      state,
      reason,
    });
  });
}

/** Files by measurement; the newest attempt that wrote one is the one that counts. */
function foundMeasurements(readings: readonly AttemptReading[]): Map<string, SummaryReading[]> {
  const found = new Map<string, SummaryReading[]>();
  for (const reading of readings) {
    const own = groupBy(reading.summaries, (one) => one.summary.measurement);
    for (const [measurement, summaries] of own) found.set(measurement, summaries);
  }
  return found;
}

interface Wanted {
  readonly measurement: string;
  readonly queries: readonly string[];
  /** 0: that there is nothing to observe is an answer too. @default - something is expected */
  readonly series?: number | undefined;
}

function judge(
  wanted: Wanted,
  summaries: readonly SummaryReading[] | undefined,
  readings: readonly AttemptReading[],
  excuse?: { readonly reason: string },
): Pick<MeasurementCoverage, 'count' | 'state' | 'reason'> {
  const last = readings.at(-1);
  const notes = last?.folder.outcome?.measurements ?? [];
  const note = notes.find((one) => one.measurement === wanted.measurement);
  const excused = note?.state === 'not-applicable' ? note : excuse;
  if (excused !== undefined && summaries === undefined) {
    const count = { expected: 0, present: 0, empty: 0 };
    return { count, state: 'not-applicable', reason: excused.reason };
  }
  const count = countValues(wanted, summaries ?? []);
  if (count.present >= count.expected) return { count, state: 'present' };
  if (summaries !== undefined) {
    const reason = note?.reason ?? missingValues(wanted, summaries);
    const state = count.present > 0 ? 'present' : 'empty';
    const expected = wanted.series === 0 ? count.present : count.expected;
    return { count: { ...count, expected }, state, reason };
  }
  return { count, state: 'missing', reason: note?.reason ?? whyMissing(wanted, last) };
}

function unasked(judged: ReturnType<typeof judge>): ReturnType<typeof judge> {
  const { present, empty } = judged.count;
  const count = { expected: present, present, empty };
  if (present > 0) return { count, state: 'present' };
  return {
    count,
    state: 'empty',
    reason: `${judged.reason ?? 'no values'}; the plan does not ask for it`,
  };
}

function countValues(wanted: Wanted, summaries: readonly SummaryReading[]): CoverageCount {
  const { present, names, all } = seenValues(summaries);
  if (wanted.queries.length > 0) {
    const expected = wanted.queries.length;
    const found = wanted.queries.filter((query) => names.has(query)).length;
    return { expected, present: found, empty: summaries.length === 0 ? 0 : expected - found };
  }
  const expected = Math.max(all, 1);
  return { expected, present, empty: summaries.length === 0 ? 0 : expected - present };
}

/** How many values there are, how many of them are numbers, and the names of those. */
function seenValues(summaries: readonly SummaryReading[]) {
  const names = new Set<string>();
  let [all, present] = [0, 0];
  const see = (name: string, value: unknown): void => {
    all += 1;
    if (value === null) return;
    present += 1;
    names.add(name);
  };
  for (const reading of summaries) {
    const { content } = reading;
    if (nothingStarted(reading)) continue;
    if (content.kind === 'whole') {
      if (content.value !== null) see('file', content.value);
      continue;
    }
    for (const { data } of content.items) for (const name in data) see(name, data[name]);
  }
  return { all, present, names };
}

function missingValues({ queries }: Wanted, summaries: readonly SummaryReading[]): string {
  const { names } = seenValues(summaries);
  const without = queries.filter((query) => !names.has(query));
  return without.length === 0 ? 'the file has no samples' : `no samples for ${without.join(', ')}`;
}

function whyMissing({ measurement }: Wanted, last: AttemptReading | undefined): string {
  if (last === undefined) return 'no attempt was made';
  const broken = last.malformed.find((one) => one.includes(measurement));
  if (broken !== undefined) return `malformed file ${broken}`;
  return last.reportThere ? 'the engine wrote no file for it' : 'there is no report folder';
}
