import type { Cl2Config, Cl2Measurement } from './config-api.js';
import type { PlannedStep } from './phase-steps.js';

/** What a run of a config has to leave behind; whatever is not there is a finding. */
export interface Cl2Expected {
  /** Names of the cases of `junit.xml` without the `overall` one, in order. */
  readonly cases: readonly string[];
  /** Summary files up to their time: `GenericPrometheusQuery X_<config>`. */
  readonly files: readonly string[];
}

/** Derives the cases and files from the same steps that are emitted. @see data/clusterloader2.md §4 */
export function expectedOf({ name }: Cl2Config, steps: readonly PlannedStep[]): Cl2Expected {
  return {
    cases: steps.flatMap(({ step }, index) => {
      const title = `${name}: ${displayName(step.name, index)}`;
      if ('phases' in step) return [title];
      return step.measurements.map(
        ({ identifier }, entry) => `${title} [${twoDigits(entry)}] - ${identifier}`,
      );
    }),
    files: steps.flatMap(({ step }) =>
      'phases' in step
        ? []
        : step.measurements.flatMap(summariesOf).map((summary) => `${summary}_${name}`),
    ),
  };
}

/** `[step: 01] load gate`: what a step is called in logs and reports. */
export function displayName(step: string, index: number): string {
  return `[step: ${twoDigits(index + 1)}] ${step}`;
}

function summariesOf(measurement: Cl2Measurement): readonly string[] {
  const { method, identifier } = measurement;
  switch (method) {
    case 'GenericPrometheusQuery': {
      const { action, metricName } = measurement.params;
      return action === 'gather' ? [`${method} ${metricName}`] : [];
    }
    case 'APIResponsivenessPrometheus':
      return measurement.params.action === 'gather' ? [method] : [];
    case 'PodStartupLatency':
      return measurement.params.action === 'gather'
        ? ['', 'Stateless', 'Stateful'].map((kind) => `${kind}${method}_${identifier}`)
        : [];
    case 'WaitForControlledPodsRunning':
    case 'WaitForGenericK8sObjects':
      return [];
  }
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
