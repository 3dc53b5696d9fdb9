import type { Inventory } from '../../model/inventory.js';
import type { PerSecond } from '../../model/quantity.js';
import type { Judgement, RunVerdict } from '../../model/verdict.js';
import type { PhaseWindow, Stimulus } from '../../model/attempt-outcome.js';
import type { ClusterRate } from './charts/event-rate.js';
import type { CoverageFile } from '../results/coverage-file.js';
import type { Quantiles } from '../../model/percentiles.js';

/** One cluster as the report shows it. */
export interface ReportCluster {
  readonly role: string;
  readonly judgement: Judgement;
  readonly facts: Inventory['clusters'][number] | undefined;
  readonly phases: readonly PhaseWindow[];
  readonly stimuli: readonly Stimulus[];
  readonly attempts: number;
}

/** What one cluster's changes needed to be seen in another. */
export interface ReportLink {
  readonly source: string;
  readonly target: string;
  /** Undefined: no probe was seen. */
  readonly times: Quantiles | undefined;
  /** Probe observations that were seen, and all. */
  readonly seen: number;
  readonly asked: number;
}

/** Propagation times of one thing that one series of probes observed, sorted, milliseconds. */
export interface ReportSeries {
  /** The scenario's id of the probes. */
  readonly probe: string;
  readonly name: string;
  readonly times: readonly number[];
  readonly asked: number;
}

/** One value of the control plane over the clusters. */
export interface ReportValue {
  readonly measurement: string;
  readonly query: string;
  readonly unit: string;
  readonly labels: string;
  readonly byCluster: readonly { readonly cluster: string; readonly value: number }[];
}

/** Something that happened at one moment: a fault, an interruption. */
export interface ReportMark {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly cluster: string | undefined;
}

/** The saturation law with this run's rates. @see data/mesh-model.md §4 */
export interface ReportCeiling {
  readonly perSecond: PerSecond;
  readonly exporterPerSecond: PerSecond;
  readonly kvstoremeshPerSecond: PerSecond;
  readonly binding: 'exporter' | 'kvstoremesh';
}

/** One rate-limited stage of the way between clusters. */
export interface ReportLimiter {
  readonly stage: ReportCeiling['binding'];
  /** Operations on etcd per second: the mean over the measurement's window, and the peak in it. */
  readonly rates: readonly ClusterRate[];
  /** Undefined: not known on this target. */
  readonly limit: PerSecond | undefined;
}

/** What the restarts of one phase ask of the mesh. */
export interface ReportDemand {
  readonly phase: string;
  /** In each cluster. */
  readonly pods: number;
  /** Changed keys of each cluster, at least. */
  readonly keys: number;
  /** The least time until the last of them is everywhere; undefined without known rates. */
  readonly drainSeconds: number | undefined;
}

/** Everything that `report.html` shows. */
export interface ReportModel {
  readonly runId: string;
  readonly scenario: string;
  readonly title: string;
  readonly question: string;
  readonly target: string;
  readonly engine: string;
  /** UTC. */
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  readonly seed: number | undefined;
  readonly workload: string;
  readonly verdict: RunVerdict;
  readonly coverage: CoverageFile;
  readonly clusters: readonly ReportCluster[];
  readonly links: readonly ReportLink[];
  readonly appeared: readonly ReportSeries[];
  readonly removed: readonly ReportSeries[];
  readonly floor: Quantiles | undefined;
  readonly ceiling: ReportCeiling | undefined;
  /** Empty when not measured. */
  readonly limiters: readonly ReportLimiter[];
  readonly demands: readonly ReportDemand[];
  readonly values: readonly ReportValue[];
  readonly marks: readonly ReportMark[];
  readonly versions: Readonly<Record<string, string>>;
  /** Paths of raw files, relative to the run folder. */
  readonly files: readonly string[];
  /** What could not be read while this report was made. */
  readonly problems: readonly string[];
}
