import type { VerdictRule } from '../../model/scenario-spec.js';
import type { AttemptOutcome } from '../../model/attempt-outcome.js';
import type { FloorSample, ProbeLine } from './probe-line.js';

/** Numbers that describe the workload of one cluster; null where nobody knows them. */
export interface WorkloadShape {
  readonly namespaces: number | null;
  readonly deploymentsPerNamespace: number | null;
  readonly replicasPerDeployment: number | null;
}

/** A cluster that a run should have results of. */
export interface ExpectedCluster {
  readonly role: string;
  readonly ciliumVersion?: string | undefined;
}

/** A measurement that the plan asks every cluster for. */
export interface ExpectedMeasurement {
  /** Id in the catalogue, which rules refer to. */
  readonly id: string;
  /** Name as in rows and file names. */
  readonly measurement: string;
  /** Keys that its data must have; none: any one item will do. */
  readonly queries: readonly string[];
  /** Series that each cluster must have for it; 0: none is no gap. @default - at least one */
  readonly series?: number | undefined;
  readonly phase?: string | undefined;
}

/** A measurement that a cluster cannot show, and why. */
export interface NotApplicable {
  readonly cluster: string;
  readonly measurement: string;
  readonly reason: string;
}

/** One attempt on one cluster, by where its files lie. */
export interface AttemptFolder {
  readonly cluster: string;
  readonly attempt: number;
  /** The report folder; it need not exist. */
  readonly report: string;
  /** Undefined: there is no `outcome.json`, because it is a foreign folder or the runner was killed. */
  readonly outcome?: AttemptOutcome | undefined;
  /** Why an `outcome.json` that is there could not be read. */
  readonly outcomeProblem?: string | undefined;
}

/** The probes of a run. */
export interface ProbeFacts {
  /** Sorted by nothing; each line is one probe seen (or not) by one peer. */
  readonly lines: readonly ProbeLine[];
  readonly floor: readonly FloorSample[];
  /** False when the scenario has no probes. */
  readonly expected: boolean;
  /** Why no peer's cache can be watched on this target. @default - it can */
  readonly unwatchable?: string | undefined;
  /** Files and lines that could not be read. */
  readonly problems: readonly string[];
}

/** What a suite's own policy said of one of its scenarios. @see data/results-schema.md §§2, 6 */
export interface SuiteValidity {
  readonly measurement_valid: boolean;
  readonly measurement_invalid_reasons: readonly string[];
  readonly suite_continue: boolean | null;
  readonly infrastructure_healthy: boolean | null;
  readonly recovery_valid: boolean | null;
}

/** Everything that rows are made of, besides the report folders that `attempts` point to. */
export interface RunFacts {
  readonly runId: string;
  readonly runUrl: string;
  readonly scenario: string;
  /** Scenario name, with a suffix where one scenario runs in several shapes. */
  readonly testType: string;
  /** Name of the test in report files and of the group of our own rows. */
  readonly group: string;
  readonly target: string;
  readonly engine: string;
  /** UTC, whole seconds. */
  readonly startedAt: string;
  readonly triggerReason: string;
  readonly meshSize: number;
  readonly shape: WorkloadShape;
  readonly clusters: readonly ExpectedCluster[];
  readonly expected: readonly ExpectedMeasurement[];
  /** What single clusters cannot show although it is expected of all. */
  readonly notApplicable: readonly NotApplicable[];
  /** Needs of the scenario that the target cannot meet: everything is then `not-applicable`. */
  readonly unmetNeeds: readonly string[];
  readonly rules: readonly VerdictRule[];
  readonly attempts: readonly AttemptFolder[];
  readonly probes: ProbeFacts;
  /** True for folders that we wrote: their attempts must have an outcome. */
  readonly ours: boolean;
  /** @default - the scenario was no part of a suite */
  readonly validity?: SuiteValidity | undefined;
}
