import type { StopReason } from '../native/cluster-engine.js';
import type { FollowedEnd } from '../platform/followed-process.js';

/** How a run of ClusterLoader2 on one cluster ended. */
export type Cl2Outcome =
  | { readonly kind: 'passed' }
  /** It measured, and found too much or nothing. */
  | { readonly kind: 'violated'; readonly thresholds: readonly string[] }
  | { readonly kind: 'workload-failed'; readonly steps: readonly FailedStep[] }
  | {
      readonly kind: 'infrastructure';
      /** Of `workload/signatures`, or `unknown-setup-failure`. */
      readonly class: string;
      readonly retryable: boolean;
      readonly text: string;
      readonly next: string;
    }
  /** Flags, templates or the config were refused before anything was loaded. */
  | { readonly kind: 'config-refused'; readonly text: string }
  | { readonly kind: 'killed'; readonly by: string; readonly text: string }
  /** We ended it, because its time was over. */
  | { readonly kind: 'timed-out'; readonly text: string }
  /** We ended it, because the user asked. */
  | { readonly kind: 'interrupted' }
  /** It says that it came to its end, and its report does not show that. */
  | { readonly kind: 'half-report'; readonly text: string }
  /** It says that all is well, and what it should have written is not there. */
  | { readonly kind: 'silent-loss'; readonly files: readonly string[] };

/** A step that failed, by its name in `junit.xml`. */
export interface FailedStep {
  readonly step: string;
  readonly text: string;
}

/** What a report folder shows; read by whoever knows its formats. */
export interface Cl2Report {
  readonly junit:
    | { readonly state: 'missing' }
    | { readonly state: 'malformed'; readonly reason: string }
    | {
        readonly state: 'read';
        /** With the `overall` one. */
        readonly cases: number;
        readonly failing: readonly FailedStep[];
      };
  /** Names of its files. */
  readonly files: readonly string[];
}

/** Reads a report folder; one that is not there has no files. */
export type ReadCl2Report = (folder: string) => Promise<Cl2Report>;

/** All that tells how a run ended. */
export interface Cl2Evidence {
  readonly end: FollowedEnd;
  /** Who ended it, if we did. */
  readonly stoppedFor?: StopReason | undefined;
  readonly report: Cl2Report;
  readonly expected: { readonly cases: readonly string[]; readonly files: readonly string[] };
  /** The end of its log, redacted. */
  readonly log: string;
}
