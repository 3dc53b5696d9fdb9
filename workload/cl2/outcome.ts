import type { StopReason } from '../native/cluster-engine.js';
import type { Cl2End } from './executors/executor.js';

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
  readonly end: Cl2End;
  /** Who ended it, if we did. */
  readonly stoppedFor?: StopReason | undefined;
  readonly report: Cl2Report;
  readonly expected: { readonly cases: readonly string[]; readonly files: readonly string[] };
  /** The end of its log, redacted. */
  readonly log: string;
}
