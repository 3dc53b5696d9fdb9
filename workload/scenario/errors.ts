import { errorCatalogue } from '../../model/error-catalogue.js';
import type { ErrorPlace, UserError } from '../../model/user-error.js';

/** The codes of scenario and measurement files and of the knobs that a run sets. */
export const scenarioErrors = errorCatalogue({
  'scenario/not-yaml': { exit: 'bad-input', meaning: 'The file is not well-formed YAML.' },
  'scenario/bad-field': {
    exit: 'bad-input',
    meaning: 'A field of a scenario or measurement file is unknown, missing or of the wrong kind.',
  },
  'scenario/unknown-name': {
    exit: 'bad-input',
    meaning: 'A scenario refers to a knob, phase, probe, measurement or query that is not there.',
  },
  'scenario/unused-knob': {
    exit: 'bad-input',
    meaning: 'A scenario declares a knob that nothing in it refers to.',
  },
  'scenario/bad-knob': {
    exit: 'bad-input',
    meaning: 'The default of a knob lies outside of its own bounds.',
  },
  'scenario/duplicate': {
    exit: 'bad-input',
    meaning: 'Two things of a scenario or measurement file have the same name.',
  },
  'scenario/unknown': { exit: 'bad-input', meaning: 'There is no scenario of that name.' },
  'scenario/bad-promql': {
    exit: 'bad-input',
    meaning: 'An expression of the measurement catalogue is not PromQL.',
  },
  'run/unknown-knob': { exit: 'bad-input', meaning: 'The scenario has no knob of that name.' },
  'run/bad-knob-value': {
    exit: 'bad-input',
    meaning: 'The value of a knob has the wrong unit or lies outside of the bounds.',
  },
  'run/bad-set': { exit: 'bad-input', meaning: '--set is not of the form knob=value.' },
  'run/bad-plan': {
    exit: 'bad-input',
    meaning: 'plan.json of a run is not JSON, or has a field that is wrong.',
  },
  'run/plan-version': {
    exit: 'bad-input',
    meaning: 'plan.json of a run was written by another release.',
  },
});

/** The YAML parser stopped. */
export const notYaml = (where: ErrorPlace, problem: string): UserError =>
  scenarioErrors.make('scenario/not-yaml', {
    problem,
    where,
    next: 'correct the file at this place',
  });

/** A field is unknown, missing or of the wrong kind. */
export const badField = (
  where: ErrorPlace,
  problem: string,
  parts: { readonly given?: string; readonly expected?: string },
): UserError =>
  scenarioErrors.make('scenario/bad-field', { problem, where, ...parts, next: 'correct the file' });

/** A reference leads nowhere. */
export const unknownName = (
  where: ErrorPlace,
  given: { readonly what: string; readonly name: string },
  nearest: string | undefined,
  known: readonly string[],
): UserError =>
  scenarioErrors.make('scenario/unknown-name', {
    problem: `there is no ${given.what} "${given.name}"`,
    where,
    given: given.name,
    expected: nearest ?? `one of ${known.join(', ')}`,
    next: nearest === undefined ? 'correct the name' : `write ${nearest}, or correct the name`,
  });

/** A knob that changes nothing. */
export const unusedKnob = (where: ErrorPlace, knob: string): UserError =>
  scenarioErrors.make('scenario/unused-knob', {
    problem: `the knob "${knob}" is declared, but nothing refers to it`,
    where,
    expected: `\${${knob}} somewhere in the scenario`,
    next: 'refer to it, or remove it',
  });

/** A default beyond its own bounds. */
export const badKnob = (where: ErrorPlace, knob: string, given: string, expected: string) =>
  scenarioErrors.make('scenario/bad-knob', {
    problem: `the default of knob "${knob}" is out of its bounds`,
    where,
    given,
    expected,
    next: 'correct the default or the bounds',
  });

/** Two of a name. */
export const duplicate = (where: ErrorPlace, what: string, name: string): UserError =>
  scenarioErrors.make('scenario/duplicate', {
    problem: `there are two ${what} named "${name}"`,
    where,
    given: name,
    next: 'rename one of them',
  });

/** No such scenario. */
export const unknownScenario = (
  name: string,
  nearest: string | undefined,
  known: readonly string[],
): UserError =>
  scenarioErrors.make('scenario/unknown', {
    problem: `there is no scenario "${name}"`,
    given: name,
    expected: nearest ?? `one of ${known.join(', ')}`,
    next: 'meshscale scenarios list shows all of them',
  });

/** The official grammar refuses it. */
export const badPromql = (where: ErrorPlace, expr: string, problem: string): UserError =>
  scenarioErrors.make('scenario/bad-promql', {
    problem,
    where,
    given: expr,
    next: 'correct the expression; https://prometheus.io/docs/prometheus/latest/querying/basics/',
  });

/** `--set` names no knob of the scenario. */
export const unknownKnob = (
  knob: string,
  scenario: string,
  nearest: string | undefined,
  known: readonly string[],
): UserError =>
  scenarioErrors.make('run/unknown-knob', {
    problem: `scenario ${scenario} has no knob "${knob}"`,
    given: knob,
    expected: nearest ?? `one of ${known.join(', ')}`,
    next: `meshscale scenarios show ${scenario} lists its knobs`,
  });

/** `--set` gives a knob a value that it cannot have. */
export const badKnobValue = (knob: string, given: string, expected: string): UserError =>
  scenarioErrors.make('run/bad-knob-value', {
    problem: `knob "${knob}" cannot be set to this value`,
    given,
    expected,
    next: 'give a value within the bounds, with its unit',
  });

/** `--set` without `=`. */
export const badSet = (given: string): UserError =>
  scenarioErrors.make('run/bad-set', {
    problem: '--set takes knob=value',
    given,
    expected: 'such as --set replicasPerDeployment=20',
    next: 'write the knob, an equals sign and the value',
  });

/** plan.json is not as it was written. */
export const badPlan = (where: ErrorPlace, problem: string): UserError =>
  scenarioErrors.make('run/bad-plan', {
    problem: `the plan of this run cannot be read: ${problem}`,
    where,
    expected: 'a plan.json that this release of meshscale wrote',
    next: 'take the run folder from where it was made, or run the scenario again',
  });

/** plan.json of another release. */
export const planVersion = (
  file: string,
  { given, known }: { readonly given: string; readonly known: string },
): UserError =>
  scenarioErrors.make('run/plan-version', {
    problem: 'this release does not know the version of the plan',
    where: { file },
    given,
    expected: known,
    next: 'read the run with the meshscale release that wrote it, or run the scenario again',
  });
