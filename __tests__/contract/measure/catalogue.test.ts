import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MeasurementQuery } from '../../../model/measurement-spec.js';
import type { PlannedMeasurement } from '../../../model/run-plan.js';
import {
  catalogueOf,
  loadCatalogue,
  type Catalogue,
  type CataloguedMeasurement,
} from '../../../workload/measure/catalogue.js';
import { evaluateMeasurements } from '../../../workload/measure/evaluate.js';
import type { MeasuredValue } from '../../../workload/measure/measured-value.js';
import {
  directHttp,
  prometheusSource,
  type PrometheusSource,
} from '../../../workload/measure/prometheus-source.js';
import {
  renderExpression,
  stampedSelection,
  windowText,
} from '../../../workload/measure/selector.js';
import { startPrometheus, type RealPrometheus } from '../../helpers/real-prometheus.js';
import { remoteWrite } from '../../helpers/remote-write.js';
import { knownAnswer } from './known-answers.js';
import { syntheticSeries, WINDOW } from './synthetic-series.js';

const catalogue = await loadCatalogue(new URL('../../../measurements', import.meta.url).pathname);
const asked = [...catalogue.byId.values()].filter(({ source }) => source !== 'engine');
const queries = asked.flatMap((spec) =>
  spec.queries.map((query) => ({ spec, query, name: `${spec.id}.${query.name}` })),
);

let prometheus: RealPrometheus;
let source: PrometheusSource;

beforeAll(async () => {
  prometheus = await startPrometheus();
  source = prometheusSource(directHttp(prometheus.url));
  const series = queries.flatMap(({ spec, query, name }) =>
    syntheticSeries(query, spec.source, name),
  );
  await remoteWrite(prometheus.url, [...series, ...ODD_SERIES]);
}, 60_000);

afterAll(async () => {
  await prometheus.stop();
});

describe('the measurement catalogue on a real Prometheus', () => {
  it.each(queries)('gives the known answer to $name', async ({ spec, query, name }) => {
    const values = await evaluate(justOne(spec, query), spec.id, name);
    const wanted = knownAnswer(spec.id, query, spec.scale ?? 1);
    expect(values).toEqual([
      expect.objectContaining({
        query: query.name,
        state: 'present',
        value: expect.closeTo(wanted, 6) as unknown,
      }),
    ]);
  });

  it.each(queries)('takes $name as one expression too', async ({ spec, query, name }) => {
    const expression = renderExpression(query, {
      selection: stampedSelection(name),
      source: spec.source,
      window: windowText(WINDOW.end - WINDOW.start),
      scale: spec.scale,
    });
    const answer = await source.instant(expression, WINDOW.end);
    expect(answer).toMatchObject({ ok: true, series: [{}] });
  });

  it('says of every query in a cluster without any series that it is missing, and why', async () => {
    const all = await Promise.all(asked.map(({ id }) => evaluate(catalogue, id, 'nobody')));
    const values = all.flat();
    expect(values).toHaveLength(queries.length);
    expect(values.filter(({ state, value }) => state !== 'missing' || value !== null)).toEqual([]);
    expect(values.filter(({ reason }) => reason === undefined)).toEqual([]);
  });
});

describe('values that are not there', () => {
  it('calls a counter of a scraped target without its series empty, not zero', async () => {
    const [value] = await evaluate(catalogue, 'ClusterMeshKvstoreSyncErrors', 'quiet');
    expect(value).toMatchObject({ state: 'empty', value: null });
    expect(value?.reason).toContain('kvstoremesh was scraped 2 times without a series');
  });

  it('calls a quantile without an observation in the window empty', async () => {
    const values = await evaluate(catalogue, 'ClusterMeshEtcdCompactionDuration', 'idle');
    expect(values.map(({ state }) => state)).toEqual(['empty', 'empty']);
    expect(values[0]?.reason).toBe('no observation was made in the window');
  });

  it('refuses to choose among several series where one is due', async () => {
    const [value] = await evaluateExpression('odd_value{$selector}');
    expect(value).toMatchObject({ state: 'missing', value: null });
    expect(value?.reason).toContain('2 series where one is due');
  });

  it('calls a result that is no number empty', async () => {
    const [value] = await evaluateExpression('sum(odd_value{$selector}) / 0 * 0');
    expect(value).toMatchObject({ state: 'empty', reason: 'the result is NaN' });
  });

  it('keeps what Prometheus says when it refuses a query', async () => {
    const [value] = await evaluateExpression('rate(odd_value{$selector})');
    expect(value?.reason).toContain('Prometheus refused the query');
  });
});

function evaluate(of: Catalogue, id: string, cluster: string): Promise<readonly MeasuredValue[]> {
  const planned: PlannedMeasurement = {
    id,
    measurement: id,
    queries: [],
    phase: 'burst',
    through: 'burst',
    series: 1,
  };
  return evaluateMeasurements({
    catalogue: of,
    source,
    selection: stampedSelection(cluster),
    measurements: [planned],
    cluster: { notApplicable: [] },
    windowOf: () => WINDOW,
  });
}

function justOne(spec: CataloguedMeasurement, query: MeasurementQuery): Catalogue {
  const { group, ...measurement } = spec;
  const measurements = [{ ...measurement, queries: [query] }];
  return catalogueOf([{ schemaVersion: 1, group, doc: group, measurements }]);
}

function evaluateExpression(expr: string): Promise<readonly MeasuredValue[]> {
  const spec = {
    id: 'Odd',
    metricName: 'Odd',
    method: 'GenericPrometheusQuery' as const,
    unit: '#',
    direction: 'neutral' as const,
    source: 'kvstoremesh' as const,
    doc: 'odd',
    queries: [{ kind: 'promql' as const, name: 'Value', expr }],
  };
  const only = catalogueOf([{ schemaVersion: 1, group: 'odd', doc: 'odd', measurements: [spec] }]);
  return evaluate(only, 'Odd', 'odd');
}

const inside = [WINDOW.start + 10_000, WINDOW.start + 20_000] as const;
const ODD_SERIES = [
  {
    labels: { __name__: 'up', cluster: 'quiet', component: 'kvstoremesh', instance: 'one' },
    samples: inside.map((at) => [at, 1] as const),
  },
  ...['0.1', '+Inf'].map((le) => ({
    labels: {
      __name__: 'etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_bucket',
      cluster: 'idle',
      component: 'mesh-etcd',
      instance: 'one',
      le,
    },
    samples: [WINDOW.start, ...inside].map((at) => [at, 5] as const),
  })),
  ...['one', 'two'].map((instance) => ({
    labels: { __name__: 'odd_value', cluster: 'odd', component: 'kvstoremesh', instance },
    samples: [[WINDOW.end, 1] as const],
  })),
];
