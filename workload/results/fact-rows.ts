import { FIXED_MEASUREMENTS, type Row } from '../../model/row.js';
import type { VerdictRule } from '../../model/scenario-spec.js';
import type { Judgement } from '../../model/verdict.js';
import { makeRow, type RowFrame, type RowPart } from './make-row.js';
import type { AttemptOutcome, Stimulus } from '../../model/attempt-outcome.js';
import type { AttemptReading } from './read-attempt.js';
import { quantiles } from '../../model/percentiles.js';

/** Achieved ÷ asked; undefined when nothing was asked or nothing is known. */
export function stimulusRatio({ asked, achieved }: Stimulus): number | undefined {
  return asked === null || asked <= 0 || achieved === null ? undefined : achieved / asked;
}

/**
 * Why the values of an attempt must not be used: phases that were not loaded as the scenario's rules
 * ask. A phase that no rule names may be as slow as it likes: it shows nothing.
 */
export function weakStimuli(
  outcome: AttemptOutcome | undefined,
  rules: readonly VerdictRule[],
): readonly string[] {
  return rules.flatMap((rule) => {
    if (rule.rule !== 'stimulus') return [];
    const stimulus = outcome?.stimuli.find((one) => one.phase === rule.phase);
    const ratio = stimulus === undefined ? undefined : stimulusRatio(stimulus);
    if (stimulus === undefined || ratio === undefined || ratio >= rule.atLeast) return [];
    const [share, least] = [ratio, rule.atLeast].map((one) => `${Math.floor(one * 100)} %`);
    const { phase, asked, unit } = stimulus;
    return [`phase ${phase} achieved ${share} of the asked ${asked ?? 0} ${unit}, not ${least}`];
  });
}

/** The one row that every expected cluster has, whatever happened to it. */
export function statusRow(
  frame: RowFrame,
  judgement: Judgement,
  readings: readonly AttemptReading[],
): Row {
  const last = readings.at(-1);
  const junit = last?.junit;
  const data = {
    verdict: judgement.verdict,
    ending: last?.folder.outcome?.ending.state ?? null,
    attempts: readings.length,
    report_found: last?.reportThere ?? false,
    junit: junit?.state ?? 'missing',
    cases: junit?.state === 'read' ? junit.cases : 0,
    failures: junit?.state === 'read' ? junit.failures : 0,
    errors: junit?.state === 'read' ? junit.errors : 0,
    ...(last?.worker === undefined ? {} : { worker_exit_code: last.worker.exitCode }),
    failing_cases: junit?.state === 'read' ? junit.failing : [],
    malformed_files: readings.flatMap((reading) => reading.malformed),
    unknown_files: readings.flatMap((reading) => reading.unknown),
  };
  return makeRow(frame, {
    kind: 'status',
    group: frame.facts.group,
    measurement: FIXED_MEASUREMENTS.clusterStatus,
    result: { data, unit: 'status' },
    unit: 'status',
    state: judgement.verdict === 'not-applicable' ? 'not-applicable' : 'present',
    reason: judgement.reasons.map((one) => one.text).join('\n') || undefined,
    verdict: judgement.verdict,
  });
}

/** Phase windows, stimuli and replaced pods of an attempt. */
export function outcomeRows(frame: RowFrame, outcome: AttemptOutcome | undefined): readonly Row[] {
  if (outcome === undefined) return [];
  const window = (name: string) => {
    const phase = outcome.phases.find((one) => one.name === name);
    return phase === undefined ? undefined : { start: phase.start, end: phase.end };
  };
  const common = { group: frame.facts.group, stamp: outcome.endedAt, state: 'present' } as const;
  return [
    ...outcome.phases.map(({ name, kind, start, end }) => {
      const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
      const data = { kind, seconds: Number.isFinite(seconds) ? seconds : null };
      const measurement = FIXED_MEASUREMENTS.phase;
      const result = { data, unit: 's', labels: { Phase: name } };
      const part = { kind: 'phase', measurement, result, unit: 's', phase: name } as const;
      return makeRow(frame, { ...common, ...part, window: window(name) });
    }),
    ...outcome.stimuli.map((stimulus) =>
      stimulusRow(frame, stimulus, window(stimulus.phase), outcome),
    ),
    ...outcome.replaced.map(({ phase, expected, replaced }) => {
      const result = { data: { expected, replaced }, unit: 'pods', labels: { Phase: phase } };
      const part = {
        kind: 'phase',
        measurement: FIXED_MEASUREMENTS.replaced,
        result,
        unit: 'pods',
        phase,
      } as const;
      return makeRow(frame, { ...common, ...part });
    }),
  ];
}

function stimulusRow(
  frame: RowFrame,
  stimulus: Stimulus,
  window: { start: string; end: string } | undefined,
  outcome: AttemptOutcome,
): Row {
  const { phase, asked, achieved, unit } = stimulus;
  const data = { asked, achieved, ratio: stimulusRatio(stimulus) ?? null };
  return makeRow(frame, {
    kind: 'phase',
    group: frame.facts.group,
    measurement: FIXED_MEASUREMENTS.stimulus,
    result: { data, unit, labels: { Phase: phase } },
    unit,
    phase,
    window,
    stamp: outcome.endedAt,
    state: achieved === null ? 'missing' : 'present',
    reason: achieved === null ? 'the engine did not say what it achieved' : undefined,
  });
}

/** The tool's own share of every propagation time, in this cluster. */
export function floorRows(frame: RowFrame): readonly Row[] {
  const { probes, group } = frame.facts;
  if (!probes.expected) return [];
  const found = quantiles(probes.floor.flatMap((sample) => sample.delta_ms ?? []));
  const data =
    found === undefined
      ? { Perc50: null, Perc90: null, Perc99: null, Max: null }
      : { Perc50: found.p50, Perc90: found.p90, Perc99: found.p99, Max: found.max };
  return [
    makeRow(frame, {
      kind: 'measurement',
      group,
      measurement: FIXED_MEASUREMENTS.probeFloor,
      result: { data, unit: 'ms' },
      unit: 'ms',
      ...floorState(found !== undefined, [...frame.facts.unmetNeeds, probes.unwatchable]),
      samples: found?.samples ?? 0,
    }),
  ];
}

function floorState(
  found: boolean,
  reasons: readonly (string | undefined)[],
): Pick<RowPart, 'state' | 'reason'> {
  if (found) return { state: 'present' };
  const cannot = reasons.find((one) => one !== undefined);
  if (cannot !== undefined) return { state: 'not-applicable', reason: cannot };
  return { state: 'missing', reason: 'the floor was not measured in this cluster' };
}
