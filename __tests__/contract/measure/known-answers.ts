import type {
  Across,
  CounterQuery,
  GaugeQuery,
  HistogramQuery,
  MeasurementQuery,
} from '../../../model/measurement-spec.js';

/** What a query must give on the synthetic series, from tables worked out by hand. */
export function knownAnswer(id: string, query: MeasurementQuery, scale: number): number {
  switch (query.kind) {
    case 'counter':
      return scale * counterAnswer(query);
    case 'gauge':
      return scale * gaugeAnswer(query);
    case 'histogram':
      return histogramAnswer(query, scale);
    case 'promql': {
      const answer = PROMQL[`${id}.${query.name}`];
      if (answer === undefined) throw new Error(`no known answer for ${id}.${query.name}`);
      return answer;
    }
  }
}

/** One: eleven steps of 5 and a restart with 3. Two: born with 7, then eight steps of 2. */
const INCREASES: Pair = [11 * 5 + 3, 7 + 8 * 2];
/** Five, and the seven of the birth, within ten seconds. */
const PEAKS: Pair = [0.5, 0.7];

function counterAnswer({ take, across = take === 'peak-rate' ? 'max' : 'sum' }: CounterQuery) {
  if (take === 'peak-rate') return join(PEAKS, across);
  return join(INCREASES, across) / (take === 'rate' ? 120 : 1);
}

/** One: scrapes 7 … 18 give their own number. Two: 4, and once NaN. */
const GAUGES: Readonly<Record<GaugeQuery['over'], Pair>> = {
  min: [7, 4],
  max: [18, 4],
  avg: [12.5, 4],
  last: [18, 4],
};
/** Summed at each scrape: number + 4, and once 9 + nothing. */
const GAUGE_SUMS = { min: 9, max: 22, avg: (150 + 11 * 4) / 12, last: 22 };

function gaugeAnswer({ over, across, first }: GaugeQuery): number {
  if (first !== 'series') return join(GAUGES[over], across);
  if (across !== 'sum') throw new Error('no known answer for a join at each scrape but a sum');
  return GAUGE_SUMS[over];
}

/** Twelve scrapes of 1, 3, 4 and two of the birth: 14 up to 0.1, 38 up to 1, 50 in all. */
function histogramAnswer({ take }: HistogramQuery, scale: number): number {
  if (take === 'count') return 50;
  if (take === 'overflow') return 12 / 50;
  if (take === 'mean') return (scale * (12 * 2.5 + 0.2)) / 50;
  if (take.quantile > 38 / 50) return scale; // beyond the last finite bucket: its edge
  return scale * (0.1 + (0.9 * (take.quantile * 50 - 14)) / 24);
}

type Pair = readonly [number, number];

function join([one, two]: Pair, across: Across): number {
  if (typeof across === 'object') {
    const [low, high] = [Math.min(one, two), Math.max(one, two)];
    return low + (high - low) * across.quantile;
  }
  return { sum: one + two, min: Math.min(one, two), max: Math.max(one, two), avg: (one + two) / 2 }[
    across
  ];
}

/** Two pods of which the first has twice the second, one peer of two ready. */
const PROMQL: Readonly<Record<string, number>> = {
  'KvstoreMeshReadinessStatus.ReadyClusters': 1,
  'KvstoreMeshReadinessStatus.NotReadyClusters': 1,
  'ClusterMeshApiserverPodCPU.TotalMax': 1.5,
  'ClusterMeshApiserverPodCPU.TotalAvg': 1.5,
  'ClusterMeshApiserverPodCPU.PerPodMax': 1,
  'ClusterMeshApiserverPodMemory.TotalMax': 150,
  'ClusterMeshApiserverPodMemory.TotalAvg': 150,
  'ClusterMeshApiserverPodMemory.PerPodMax': 100,
  'ClusterMeshEtcdContainerCpu.MaxAcrossPods': 1,
  'ClusterMeshEtcdContainerCpu.AvgAcrossPods': 0.75,
  'ClusterMeshEtcdContainerMemory.MaxAcrossPods': 100,
  'ClusterMeshEtcdContainerMemory.AvgAcrossPods': 75,
};
