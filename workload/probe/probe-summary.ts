import { quantiles, type Quantiles } from '../../model/percentiles.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { WatchLosses } from './place.js';
import type { ProbeKind } from './probe-plan.js';
import type { ProbeRecord } from './probe-record.js';
import { STAGES, type StageTimes } from './stage-times.js';

/** A stage, or the whole way of a change or of its removal. */
export type SummarisedStage = keyof StageTimes | 'propagation_ms' | 'removal_ms';

/** Figures of one stage over all probes × directed pairs, milliseconds. */
export interface StageFigures extends Quantiles {
  readonly observe: ProbeKind;
  readonly stage: SummarisedStage;
}

/** What a series came to. */
export interface ProbeSummary extends WatchLosses {
  readonly id: string;
  /** Probes that the plan asked for, and those that were begun. */
  readonly asked: number;
  readonly made: number;
  /** Observations (probe × peer × kind), and how many of them were seen within the budget. */
  readonly observations: number;
  readonly seen: number;
  /** Observations during which some watch was not open: their times are upper bounds. */
  readonly marked: number;
  /** The most that a probe started after its time. */
  readonly lateStartMs: Milliseconds;
  readonly figures: readonly StageFigures[];
  /** Watches that were not confirmed before the first change, with the cause. */
  readonly blind: readonly string[];
  /** Objects of ours that could not be removed. */
  readonly leftovers: readonly string[];
  /** The signal ended the series. */
  readonly interrupted: boolean;
}

/** Counts and times of records as they come; keeps numbers only. */
export interface ProbeTally {
  add(record: ProbeRecord): void;
  counts(): Pick<ProbeSummary, 'observations' | 'seen' | 'marked'>;
  /** By kind, then in the order of the stages; without those that nothing was seen of. */
  figures(): readonly StageFigures[];
}

/** An empty tally. */
export function createTally(): ProbeTally {
  const values = new Map<ProbeKind, Map<SummarisedStage, number[]>>();
  const counts = { observations: 0, seen: 0, marked: 0 };
  return {
    add: (record) => {
      counts.observations += 1;
      if (record.propagation_ms !== null) counts.seen += 1;
      if (record.watch_lost) counts.marked += 1;
      const ofKind = values.get(record.observe) ?? new Map<SummarisedStage, number[]>();
      values.set(record.observe, ofKind);
      for (const stage of SUMMARISED) {
        const value = record[stage];
        if (value === null || value === undefined) continue;
        const known = ofKind.get(stage);
        if (known === undefined) ofKind.set(stage, [value]);
        else known.push(value);
      }
    },
    counts: () => ({ ...counts }),
    figures: () =>
      [...values].flatMap(([observe, ofKind]) =>
        SUMMARISED.flatMap((stage) => {
          const found = quantiles(ofKind.get(stage) ?? []);
          return found === undefined ? [] : [{ observe, stage, ...found }];
        }),
      ),
  };
}

const SUMMARISED: readonly SummarisedStage[] = [...STAGES, 'propagation_ms', 'removal_ms'];
