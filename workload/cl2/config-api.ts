/**
 * The part of ClusterLoader2's config API that we emit. ClusterLoader2 drops unknown fields without a
 * word, so that they are impossible here: every measurement has its own type of parameters.
 * @see data/clusterloader2.md §1.2, §3
 */
export interface Cl2Config {
  /** Part of every file name: no `_`, `/`, `:` or space. */
  readonly name: string;
  readonly namespace: Cl2Namespaces;
  readonly tuningSets: readonly Cl2TuningSet[];
  readonly steps: readonly Cl2Step[];
}

/** Namespaces `<prefix>-1` … `<prefix>-<number>`; we make and remove them, because of their labels. */
export interface Cl2Namespaces {
  readonly number: number;
  readonly prefix: string;
  readonly enableExistingNamespaces: true;
  readonly deleteAutomanagedNamespaces: false;
}

/** A step is phases or measurements, never both. Steps run one after the other. */
export type Cl2Step =
  | { readonly name: string; readonly phases: readonly [Cl2Phase] }
  | { readonly name: string; readonly measurements: readonly Cl2Measurement[] };

/** Brings the objects of a bundle to a number in each namespace: creates, patches or deletes. */
export interface Cl2Phase {
  readonly namespaceRange: { readonly min: 1; readonly max: number };
  /** The total, no increment; the present number patches every object, 0 deletes all. */
  readonly replicasPerNamespace: number;
  readonly tuningSet: string;
  readonly objectBundle: readonly Cl2Object[];
}

/** Objects `<basename>-0`, `<basename>-1`, … from one template file. */
export interface Cl2Object {
  readonly basename: string;
  readonly objectTemplatePath: string;
}

/** How the actions of a phase are paced. */
export type Cl2TuningSet =
  | { readonly name: string; readonly qpsLoad: { readonly qps: number } }
  | {
      readonly name: string;
      readonly parallelismLimitedLoad: { readonly parallelismLimit: number };
    };

/** `start` and `gather` of one identifier belong together. */
export type StartOrGather = 'start' | 'gather';

/** A measurement with exactly the parameters that its method reads. Durations are Go's: `90s`. */
export type Cl2Measurement =
  | Measured<'WaitForControlledPodsRunning', ControlledPodsStart | ControlledPodsGather>
  | Measured<'WaitForGenericK8sObjects', GenericObjects>
  | Measured<'PodStartupLatency', PodStartupStart | { readonly action: 'gather' }>
  | Measured<'APIResponsivenessPrometheus', ApiResponsiveness>
  | Measured<'GenericPrometheusQuery', GenericQuery>;

interface Measured<Method extends string, Params> {
  readonly method: Method;
  readonly identifier: string;
  readonly params: Params;
}

interface ControlledPodsStart {
  readonly action: 'start';
  readonly apiVersion: 'apps/v1';
  readonly kind: 'Deployment';
  readonly labelSelector: string;
  readonly operationTimeout: string;
  readonly checkIfPodsAreUpdated: true;
}

interface ControlledPodsGather {
  readonly action: 'gather';
  readonly syncTimeout: string;
}

interface GenericObjects {
  readonly objectGroup: string;
  readonly objectVersion: string;
  readonly objectResource: string;
  readonly namespaceRange: { readonly min: number; readonly max: number };
  readonly labelSelector: string;
  /** `Type=Status` */
  readonly successfulConditions: readonly string[];
  readonly minDesiredObjectCount: number;
  readonly timeout: string;
  readonly refreshInterval: string;
}

interface PodStartupStart {
  readonly action: 'start';
  readonly labelSelector: string;
  readonly threshold: string;
}

interface ApiResponsiveness {
  readonly action: StartOrGather;
  readonly enableViolations: boolean;
  readonly useSimpleLatencyQuery: true;
}

/** The same in start and gather, apart from `action`. */
export interface GenericQuery {
  readonly action: StartOrGather;
  readonly metricName: string;
  readonly metricVersion: 'v1';
  readonly unit: string;
  readonly enableViolations: boolean;
  /** Labels that make an item of their own. @default - one item */
  readonly dimensions?: readonly string[];
  readonly queries: readonly GenericQueryPart[];
}

/** One query, which becomes a key in `data`. `%v` stands for the time from start to gather. */
export interface GenericQueryPart {
  readonly name: string;
  readonly query: string;
  /** An upper bound, unless `lowerBound`. @default - not judged */
  readonly threshold?: number;
  readonly lowerBound?: true;
  readonly requireSamples?: true;
}
