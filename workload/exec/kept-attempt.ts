import { attemptOutcomeSchema, OUTCOME_SCHEMA_VERSION } from '../../model/attempt-outcome.js';
import type { AttemptOutcome } from '../../model/attempt-outcome.js';
import { readVersioned } from '../../model/versioned-json.js';
import type { EngineFindings } from '../native/cluster-engine.js';
import { readIfThere } from '../platform/files.js';
import type { AttemptRecord } from './attempt-record.js';

/** An attempt that an earlier runner has brought to its end. */
export interface KeptAttempt {
  readonly record: AttemptRecord;
  /** @default - its engine never ran, or its report says all */
  readonly findings?: EngineFindings | undefined;
  /** Its report folder is whole: nothing is left to be done. */
  readonly reported: boolean;
}

/** Reads `outcome.json`; undefined when there is none, or none that could be used. */
export async function readKeptAttempt(file: string): Promise<KeptAttempt | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const reading = readVersioned(text, attemptOutcomeSchema, OUTCOME_SCHEMA_VERSION);
  return reading.state === 'read' ? keptOf(reading.value) : undefined;
}

function keptOf(outcome: AttemptOutcome): KeptAttempt {
  const { pending, cluster, attempt, ending, stimuli, replaced, engine } = outcome;
  const record: AttemptRecord = {
    ...{ cluster, attempt, ending, stimuli, replaced, engine },
    startedAt: Date.parse(outcome.startedAt),
    endedAt: Date.parse(outcome.endedAt),
    phases: outcome.phases.map(({ name, kind, start, end, lagMs }) => ({
      name,
      kind,
      startedAt: Date.parse(start),
      endedAt: Date.parse(end),
      lag: lagMs,
    })),
    steps: (pending?.steps ?? []).map(({ title, durationMs, identifier, failures }) => ({
      title,
      duration: durationMs,
      ...(identifier === undefined ? {} : { identifier }),
      ...(failures === undefined ? {} : { failures }),
    })),
  };
  const podStartup = pending?.podStartup;
  const findings = podStartup === undefined ? undefined : { podStartup, remarks: [] };
  return { record, findings, reported: pending === undefined };
}
