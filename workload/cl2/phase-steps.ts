import type { ScenarioPhase } from '../../model/scenario-spec.js';
import { workloadSelector } from '../native/objects.js';
import type { Cl2Measurement, Cl2Step } from './config-api.js';
import { gateStep } from './gate-step.js';
import { goDuration } from './go-duration.js';
import { phaseAction } from './phase-action.js';
import type { PhaseSetting } from './phase-setting.js';

/** A step together with what the runner has to know of it. */
export interface PlannedStep {
  readonly step: Cl2Step;
  readonly phase: string;
  /** `gate` and `end-gate` wait for the runner; `load` is paced and makes the stimulus. */
  readonly role: 'gate' | 'start' | 'load' | 'wait' | 'end-gate' | 'gather';
}

/**
 * The steps of one phase: wait at the gate, start what is measured, act, wait for the pods, and after
 * the runner has said that the phase is over, gather. Gathers are steps of their own: within one step
 * they would write to one unlocked list. @see data/clusterloader2.md §5, trap 12
 */
export function phaseSteps(phase: ScenarioPhase, setting: PhaseSetting): readonly PlannedStep[] {
  const { name } = phase;
  const planned = (role: PlannedStep['role'], step: Cl2Step): PlannedStep => ({
    step,
    phase: name,
    role,
  });
  const wait = goDuration(phase.timeout ?? setting.budget);
  const starting = setting.prometheus.filter(({ first }) => first === name);
  const starts = [
    ...startupStart(setting, name),
    ...starting.map((one) => setting.measurementOf(one, 'start')),
  ];
  const ending = setting.prometheus.filter(({ last }) => last === name);
  const gate = (gateName: string): Cl2Step =>
    gateStep({ name: gateName, timeout: setting.budget }, setting);
  return [
    planned('gate', gate(name)),
    ...(starts.length === 0
      ? []
      : [planned('start', { name: `${name} start`, measurements: starts })]),
    ...phaseAction(phase, setting, wait).map(({ role, step }) => planned(role, step)),
    ...startupGather(setting, name).map((step) => planned('gather', step)),
    ...(ending.length === 0 ? [] : [planned('end-gate', gate(`${name}-end`))]),
    ...ending.map((one) =>
      planned('gather', {
        name: `${name} gather`,
        measurements: [setting.measurementOf(one, 'gather')],
      }),
    ),
  ];
}

function startupStart(setting: PhaseSetting, phase: string): readonly Cl2Measurement[] {
  const { podStartup, budget } = setting;
  if (podStartup?.first !== phase) return [];
  // It always judges and cannot be told not to: the longest time that the run has is no threshold.
  const threshold = goDuration(budget);
  const labelSelector = workloadSelector(setting);
  const params = { action: 'start', labelSelector, threshold } as const;
  return [{ method: 'PodStartupLatency', identifier: podStartup.spec.id, params }];
}

function startupGather({ podStartup }: PhaseSetting, phase: string): readonly Cl2Step[] {
  if (podStartup?.last !== phase) return [];
  const { id } = podStartup.spec;
  const params = { action: 'gather' } as const;
  return [
    {
      name: `${phase} gather`,
      measurements: [{ method: 'PodStartupLatency', identifier: id, params }],
    },
  ];
}
