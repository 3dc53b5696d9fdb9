import { durationText } from '../../model/quantity.js';
import type { ScenarioKnob } from '../../model/scenario-knob.js';
import type {
  Scenario,
  ScenarioPhase,
  ScenarioProbe,
  VerdictRule,
} from '../../model/scenario-spec.js';

/** A scenario for people: what it asks, does, judges, and what can be set. */
export function scenarioText(scenario: Scenario): string {
  const { title, question, needs, phases, probes, verdict, knobs, measurements } = scenario;
  return [
    `${title}: ${question}`,
    `needs ${needs.join(', ') || 'nothing'}; ${measurements.length} measurements; at most ${durationText(scenario.budget)}`,
    '',
    'phases',
    ...phases.map((phase) => `  ${phase.name.padEnd(10)}${phaseText(phase)}`),
    ...(probes.length === 0 ? [] : ['', 'probes']),
    ...probes.map((probe) => `  ${probe.id.padEnd(10)}${probeText(probe)}`),
    '',
    'rules',
    ...verdict.rules.map((rule) => `  ${ruleText(rule)}`),
    '',
    'knobs (--set knob=value)',
    ...Object.entries(knobs).flatMap(([name, knob]) => knobLines(name, knob)),
  ].join('\n');
}

function phaseText({ action, rate, duration, sync }: ScenarioPhase): string {
  const parts = [
    action.kind === 'none' ? 'wait' : action.kind,
    ...(rate === undefined ? [] : [`${rate} deployments/s`]),
    ...(duration === undefined ? [] : [`at least ${durationText(duration)}`]),
    ...(sync === 'barrier' ? ['all clusters at once'] : []),
  ];
  return parts.join(', ');
}

function probeText({ count, interval, at, observe }: ScenarioProbe): string {
  return `${count} × every ${durationText(interval)} in ${at}: ${observe.join(', ')}`;
}

function ruleText(rule: VerdictRule): string {
  switch (rule.rule) {
    case 'stimulus':
      return `${rule.phase} reaches ${rule.atLeast * 100} % of its rate, or the run is invalid`;
    case 'replaced':
      return `${rule.phase} replaces every pod, or the run is invalid`;
    case 'coverage':
      return `${rule.atLeast * 100} % of the expected values are there, or the run is invalid`;
    case 'seen':
      return `${rule.atLeast * 100} % of the probes ${rule.probe} are seen in their budget`;
    case 'propagation':
      return `p${rule.quantile * 100} of the probes ${rule.probe} ≤ ${durationText(rule.atMost)}`;
    case 'value':
      return `${rule.measurement} ${rule.query}${boundText('≥', rule.atLeast)}${boundText('≤', rule.atMost)}`;
  }
}

function boundText(sign: string, bound: number | undefined): string {
  return bound === undefined ? '' : ` ${sign} ${bound}`;
}

function knobLines(name: string, knob: ScenarioKnob): readonly string[] {
  const value = `${knob.default} (${knob.min} … ${knob.max}, ${knob.unit})`;
  return [`  ${name.padEnd(26)}${value}`, `  ${''.padEnd(26)}${knob.doc} Source: ${knob.source}.`];
}
