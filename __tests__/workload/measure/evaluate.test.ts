import { describe, expect, it } from '@jest/globals';
import type { PlannedMeasurement } from '../../../model/run-plan.js';
import { catalogueOf } from '../../../workload/measure/catalogue.js';
import { evaluateMeasurements } from '../../../workload/measure/evaluate.js';
import type {
  PrometheusAnswer,
  PrometheusSource,
} from '../../../workload/measure/prometheus-source.js';
import { stampedSelection } from '../../../workload/measure/selector.js';
import { SMALL_CATALOGUE } from '../../helpers/small-scenario.js';

const WINDOW = { start: 0, end: 60_000 };
const READY: PlannedMeasurement = {
  id: 'Ready',
  measurement: 'Ready Clusters',
  queries: ['Min'],
  phase: 'load',
  through: 'hold',
  series: 2,
};

function answering(answer: PrometheusAnswer, asked: string[] = []): PrometheusSource {
  const give = (expression: string): Promise<PrometheusAnswer> => {
    asked.push(expression);
    return Promise.resolve(answer);
  };
  return { instant: give, range: give };
}

function evaluate(change: Partial<Parameters<typeof evaluateMeasurements>[0]>) {
  return evaluateMeasurements({
    catalogue: SMALL_CATALOGUE,
    source: answering({ ok: true, series: [] }),
    selection: stampedSelection('mesh-001'),
    measurements: [READY],
    cluster: { notApplicable: [] },
    windowOf: () => WINDOW,
    ...change,
  });
}

const samples = [10_000, 20_000].map((at) => ({ at, value: 1 }));

describe('evaluating measurements', () => {
  it('names a value with all that a row needs', async () => {
    const series = [{ labels: { instance: 'a' }, samples }];
    expect(await evaluate({ source: answering({ ok: true, series }) })).toEqual([
      {
        measurement: 'Ready',
        metricName: 'Ready Clusters',
        group: 'small',
        query: 'Min',
        phase: 'load',
        labels: {},
        state: 'present',
        value: 1,
        unit: '#',
        direction: 'higher',
        window: WINDOW,
        samples: 2,
        series: 1,
        expectedSeries: 2,
      },
    ]);
  });

  it('asks for the window and the time before it, once for all queries', async () => {
    const asked: string[] = [];
    await evaluate({
      source: answering({ ok: true, series: [] }, asked),
      measurements: [READY, READY],
    });
    expect(asked.filter((expression) => expression.startsWith('ready'))).toEqual([
      'ready{cluster="mesh-001",component="kvstoremesh"}[150000ms]',
    ]);
  });

  it('tells each label combination in which something happened, and only those', async () => {
    const increments = (verb: string, gained: number) => ({
      labels: { instance: 'a', verb, le: '+Inf' },
      samples: [
        { at: 0, value: 5 },
        { at: 10_000, value: 5 + gained },
      ],
    });
    const bucket = (verb: string, gained: number) => [
      increments(verb, gained),
      { ...increments(verb, gained), labels: { instance: 'a', verb, le: '1' } },
    ];
    const query = { kind: 'histogram', name: 'P', metric: 'm', take: { quantile: 0.5 } } as const;
    const catalogue = catalogueOf(
      SMALL_CATALOGUE.groups.map((group) => ({
        ...group,
        measurements: group.measurements.map((measurement) => ({
          ...measurement,
          queries: [{ ...query, by: ['verb'] }],
        })),
      })),
    );
    const verbs = async (...gains: readonly [string, number][]) => {
      const series = gains.flatMap(([verb, gained]) => bucket(verb, gained));
      const values = await evaluate({ catalogue, source: answering({ ok: true, series }) });
      return values.map(({ labels, state }) => [labels, state]);
    };
    expect(await verbs(['GET', 2], ['PUT', 0])).toEqual([[{ verb: 'GET' }, 'present']]);
    expect(await verbs(['GET', 0], ['PUT', 0])).toEqual([[{}, 'empty']]);
  });

  it.each([
    ['no Prometheus is known', { source: undefined }, 'missing', 'no Prometheus of this cluster'],
    ['the phase never ran', { windowOf: () => undefined }, 'missing', 'load did not take place'],
    [
      'Prometheus is gone',
      { source: answering({ ok: false, reason: 'Prometheus did not answer: gone' }) },
      'missing',
      'gone',
    ],
    [
      'the target cannot show it',
      { cluster: { notApplicable: [{ id: 'Ready', reason: 'needs packets' }] } },
      'not-applicable',
      'needs packets',
    ],
    [
      'no scrape lies in the window',
      {
        source: answering({ ok: true, series: [{ labels: {}, samples: [{ at: -5, value: 1 }] }] }),
      },
      'missing',
      'not scraped within the window of 60.0 s',
    ],
    [
      'every sample is NaN',
      {
        source: answering({ ok: true, series: [{ labels: {}, samples: [{ at: 9, value: NaN }] }] }),
      },
      'empty',
      'NaN',
    ],
  ])('gives a state and a reason when %s', async (_, change, state, reason) => {
    const values = await evaluate(change);
    expect(values).toMatchObject([{ query: 'Min', state, value: null }]);
    expect(values[0]?.reason).toContain(reason);
  });
});
