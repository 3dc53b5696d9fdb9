import { z } from 'zod';
import { strictObject } from './strict-object.js';

/** The version of `measurements/*.yaml` that this program reads. */
export const MEASUREMENT_SCHEMA_VERSION = 1;

/** What a local mesh runs. @see data/local-engines.md */
export const LOCAL_COMPONENTS = [
  'etcd',
  'mesh-etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'clustermesh-apiserver',
  'kvstoremesh',
  'agent-controller',
  'prometheus',
] as const;

/** Who exports the series, or who measures. */
export const MEASUREMENT_SOURCES = [
  ...LOCAL_COMPONENTS,
  'cilium-agent',
  'cilium-operator',
  'cadvisor',
  'kube-state-metrics',
  /** The engine that runs the workload: no Prometheus is asked. */
  'engine',
] as const;

/** A component whose series a measurement reads. */
export type MeasurementSource = (typeof MEASUREMENT_SOURCES)[number];

/** Over several series: summed, the smallest, the largest, their mean, or a quantile of them. */
const across = z.union([
  z.enum(['sum', 'min', 'max', 'avg']),
  strictObject({ quantile: z.number().min(0).max(1) }),
]);

/** How the values of several series become one. */
export type Across = z.infer<typeof across>;

const name = z.string().regex(/^[A-Z][A-Za-z0-9]*$/, { error: 'a name such as Perc99' });
const metric = z.string().regex(/^[a-z_:][A-Za-z0-9_:]*$/, { error: 'a metric name' });
/** Matchers such as `scope="services/v1",action="update"`. */
const where = z.string().optional();
/** Labels that make an item of their own; without any, all series become one value. */
const by = z.array(z.string().min(1)).optional();

const counterQuery = strictObject({
  kind: z.literal('counter'),
  name,
  metric,
  where,
  by,
  /** `increase` over the window, `rate` = increase ÷ window, `peak-rate` between two scrapes. */
  take: z.enum(['increase', 'rate', 'peak-rate']),
  /** @default sum */
  across: across.optional(),
});

const histogramQuery = strictObject({
  kind: z.literal('histogram'),
  name,
  /** Without `_bucket`. */
  metric,
  where,
  by,
  /** `overflow` is the share of observations beyond the last finite bucket. */
  take: z.union([
    z.enum(['mean', 'count', 'overflow']),
    strictObject({ quantile: z.number().min(0).max(1) }),
  ]),
});

const gaugeQuery = strictObject({
  kind: z.literal('gauge'),
  name,
  metric,
  where,
  by,
  /** Over the samples of one series within the window. */
  over: z.enum(['min', 'max', 'avg', 'last']),
  across,
  /**
   * `series`: the series of a target are joined at each scrape, then reduced over time, for sums
   * that must be of one moment. @default time
   */
  first: z.enum(['time', 'series']).optional(),
});

const promqlQuery = strictObject({
  kind: z.literal('promql'),
  name,
  /** One expression at the end of the window; `$selector` and `$window` are filled in. */
  expr: z.string().min(1),
  by,
});

/**
 * One value (or one for each combination of `by`). Counters, histograms and gauges are computed by
 * us from raw samples, because PromQL's `increase` extrapolates and misses a labelled counter's
 * first event; `promql` is for what has no such trap.
 */
export const measurementQuerySchema = z.discriminatedUnion('kind', [
  counterQuery,
  histogramQuery,
  gaugeQuery,
  promqlQuery,
]);

/** A measurement of the catalogue: what it is called in rows, and its queries. */
export const measurementSpecSchema = strictObject({
  id: z.string().regex(/^[A-Z][A-Za-z0-9]*$/),
  /** `measurement` in rows. */
  metricName: z.string().min(1),
  /** The summary file that ClusterLoader2 writes for it. */
  method: z.enum(['GenericPrometheusQuery', 'APIResponsivenessPrometheus', 'PodStartupLatency']),
  unit: z.string().min(1),
  /** Samples are multiplied by it to get to the unit. @default 1 */
  scale: z.number().positive().optional(),
  /** What is better; `neutral` when more is just more. */
  direction: z.enum(['lower', 'higher', 'neutral']),
  source: z.enum(MEASUREMENT_SOURCES),
  /** The oldest release of the source that exports it. @default - any that we know of */
  minVersion: z.string().optional(),
  /** Why nothing that was looked at exports it. @default - it is exported */
  unavailable: z.string().optional(),
  doc: z.string().min(1),
  queries: z.array(measurementQuerySchema),
});

/** A file of the catalogue: one group. */
export const measurementFileSchema = strictObject({
  schemaVersion: z.literal(MEASUREMENT_SCHEMA_VERSION),
  group: z.string().min(1),
  doc: z.string().min(1),
  measurements: z.array(measurementSpecSchema),
});

/** A file of `measurements/`. */
export type MeasurementFile = z.infer<typeof measurementFileSchema>;

/** A measurement as its file says it. */
export type MeasurementSpec = z.infer<typeof measurementSpecSchema>;

/** A query of any kind. */
export type MeasurementQuery = z.infer<typeof measurementQuerySchema>;

/** A counter query. */
export type CounterQuery = z.infer<typeof counterQuery>;

/** A histogram query. */
export type HistogramQuery = z.infer<typeof histogramQuery>;

/** A gauge query. */
export type GaugeQuery = z.infer<typeof gaugeQuery>;

/** A query in PromQL. */
export type PromqlQuery = z.infer<typeof promqlQuery>;
