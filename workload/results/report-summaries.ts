/** A summary file as ClusterLoader2 writes it. */
export interface ReportSummary {
  /** The first part of the file name. */
  readonly summary: string;
  readonly data: ReportPerfData;
}

/** ClusterLoader2's PerfData. `dataItems` is null when there was no sample at all. */
export interface ReportPerfData {
  readonly version: string;
  readonly dataItems: readonly ReportItem[] | null;
}

/** One item of a PerfData. */
export interface ReportItem {
  readonly data: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The three quantiles that ClusterLoader2 writes for latencies. */
export interface ReportLatency {
  readonly labels: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly perc50: number;
  readonly perc90: number;
  readonly perc99: number;
}

/** The answer of one measurement of the catalogue: `GenericPrometheusQuery <metricName>`. */
export function querySummary(
  metricName: string,
  unit: string,
  items: readonly {
    readonly data: Readonly<Record<string, number | null | undefined>>;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  }[],
): ReportSummary {
  const dataItems = items.flatMap(({ data, labels }) => {
    const finite = Object.entries(data).flatMap(([name, value]) =>
      typeof value === 'number' && Number.isFinite(value) ? [[name, value] as const] : [],
    );
    if (finite.length === 0) return [];
    const item = { data: Object.fromEntries(finite), unit };
    return [labels === undefined || Object.keys(labels).length === 0 ? item : { ...item, labels }];
  });
  return {
    summary: `GenericPrometheusQuery ${metricName}`,
    data: { version: 'v1', dataItems: dataItems.length === 0 ? null : dataItems },
  };
}

/** Pod startup latency in its three files; a kind of pod that did not occur gets no items. */
export function podStartupSummaries(latencies: {
  readonly all: readonly ReportLatency[];
  readonly stateless: readonly ReportLatency[];
  readonly stateful: readonly ReportLatency[];
}): readonly ReportSummary[] {
  const { all, stateless, stateful } = latencies;
  return [
    latencySummary('PodStartupLatency_PodStartupLatency', '1.0', all),
    latencySummary('StatelessPodStartupLatency_PodStartupLatency', '1.0', stateless),
    latencySummary('StatefulPodStartupLatency_PodStartupLatency', '1.0', stateful),
  ];
}

/** API call latency by verb, resource, subresource and scope (labels as ClusterLoader2 names them). */
export function apiResponsivenessSummary(latencies: readonly ReportLatency[]): ReportSummary {
  return latencySummary('APIResponsivenessPrometheus', 'v1', latencies);
}

function latencySummary(
  summary: string,
  version: string,
  latencies: readonly ReportLatency[],
): ReportSummary {
  const dataItems = latencies.map(({ labels, perc50, perc90, perc99 }) => ({
    data: { Perc50: perc50, Perc90: perc90, Perc99: perc99 },
    unit: 'ms',
    labels,
  }));
  return { summary, data: { version, dataItems: dataItems.length === 0 ? null : dataItems } };
}
