import type { MeasurementSpec } from '../../model/measurement-spec.js';
import type { MeasureWindow } from './target-history.js';

/** How much there is of a value. Everything but `present` has a reason and no number. */
export type ValueState = 'present' | 'empty' | 'missing' | 'not-applicable';

/** One value of one query in one cluster, or why there is none. */
export interface MeasuredValue {
  /** Id of the catalogue. */
  readonly measurement: string;
  readonly metricName: string;
  /** Group of the catalogue. */
  readonly group: string;
  readonly query: string;
  readonly phase: string;
  /** Only the labels that the query is split by. */
  readonly labels: Readonly<Record<string, string>>;
  readonly state: ValueState;
  /** Finite, or null. */
  readonly value: number | null;
  /** Always there unless present; on a present value it is a remark. */
  readonly reason?: string | undefined;
  readonly unit: string;
  readonly direction: MeasurementSpec['direction'];
  readonly window: MeasureWindow;
  /** Raw samples inside the window that it rests on. */
  readonly samples: number;
  /** Prometheus series that it rests on. */
  readonly series: number;
  /** Prometheus series that the scenario expects. */
  readonly expectedSeries: number;
}

/** What evaluating one query gives for one combination of labels, before it has its names. */
export interface Finding {
  readonly labels: Readonly<Record<string, string>>;
  readonly state: ValueState;
  readonly value: number | null;
  readonly reason?: string | undefined;
  readonly samples: number;
  readonly series: number;
}

/** What a finding rests on. */
export interface Basis {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: number;
  readonly series: number;
}

/** A number; one that is not finite is `empty` with that as its reason. */
export function present(basis: Basis, value: number, reason?: string): Finding {
  if (!Number.isFinite(value)) return absent('empty', `the result is ${value}`, basis);
  return { ...basis, state: 'present', value, reason };
}

/** No number, and why. */
export function absent(
  state: Exclude<ValueState, 'present'>,
  reason: string,
  basis: Basis = { labels: {}, samples: 0, series: 0 },
): Finding {
  return { ...basis, state, value: null, reason };
}
