import type { MeasurementSpec } from '../../model/measurement-spec.js';
import { FIXED_MEASUREMENTS } from '../../model/row.js';

/** Which way is good; `neutral` when more is just more. */
export type Direction = MeasurementSpec['direction'];

/** What is better for one value of a measurement. */
export type Directions = (measurement: string, query: string) => Direction;

/** Directions as the catalogue says them, and for what is in no catalogue by what the values are. */
export function directionsOf(
  catalogued: Iterable<Pick<MeasurementSpec, 'metricName' | 'direction'>>,
): Directions {
  const known = new Map([...FIXED]);
  for (const { metricName, direction } of catalogued) known.set(metricName, direction);
  return (measurement, query) => {
    if (COUNTS.test(query)) return 'neutral';
    if (query === 'Seen') return 'higher';
    if (SPAN.test(query)) return 'lower';
    return known.get(measurement.replace(PER_KIND, '')) ?? 'neutral';
  };
}

const FIXED: readonly (readonly [string, Direction])[] = [
  [FIXED_MEASUREMENTS.propagationSummary, 'lower'],
  [FIXED_MEASUREMENTS.stimulus, 'higher'],
  ['APIResponsivenessPrometheus', 'lower'],
  ['PodStartupLatency', 'lower'],
];

/** How many observations there were says nothing about how good they are. */
const COUNTS = /^(TotalSamples|TotalCount|Count)$/;
/** Fields of fault and probe events. */
const SPAN = /(_ms|_seconds)$/;
const PER_KIND = /^(Stateless|Stateful)(?=PodStartupLatency)/;
