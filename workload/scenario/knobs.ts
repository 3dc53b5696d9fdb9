import { nearestName } from '../../model/nearest-name.js';
import { parseDuration } from '../../model/quantity.js';
import type { KnobValue, ScenarioKnob } from '../../model/scenario-knob.js';
import type { Scenario } from '../../model/scenario-spec.js';
import type { UserError } from '../../model/user-error.js';
import { badKnobValue, badSet, unknownKnob } from './errors.js';

/** The knobs of a run: each with its value, and whether the user set it. */
export type KnobSettings = Readonly<
  Record<string, { readonly value: KnobValue; readonly set: boolean }>
>;

/** What applying `--set` gives: every knob's value, or everything that is wrong. */
export type AppliedKnobs =
  | { readonly ok: true; readonly knobs: KnobSettings }
  | { readonly ok: false; readonly errors: readonly UserError[] };

/** Applies texts such as `holdDuration=90s` on top of the scenario's defaults. The last one wins. */
export function applyKnobs(
  scenario: Pick<Scenario, 'name' | 'knobs'>,
  settings: readonly string[],
): AppliedKnobs {
  const errors: UserError[] = [];
  const knobs = new Map<string, KnobSettings[string]>(
    Object.entries(scenario.knobs).map(([name, knob]) => [
      name,
      { value: knob.default, set: false },
    ]),
  );
  for (const setting of settings) {
    const applied = applySetting(scenario, setting);
    if (applied.ok) knobs.set(applied.name, { value: applied.value, set: true });
    else errors.push(applied.error);
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, knobs: Object.fromEntries(knobs) };
}

/** What a text means for a knob: its value, or what would have been right. */
export type ParsedKnob =
  | { readonly ok: true; readonly value: KnobValue }
  | { readonly ok: false; readonly expected: string };

/** Reads a value by the knob's unit and refuses it beyond the knob's bounds. */
export function parseKnob(knob: ScenarioKnob, text: string): ParsedKnob {
  const value = knob.unit === 'duration' ? text.trim() : numberOf(text);
  const size = sizeOf(value);
  const whole = knob.unit !== 'count' || Number.isInteger(size);
  if (size === undefined || !whole) return { ok: false, expected: expectedValue(knob) };
  const [min, max] = [sizeOf(knob.min), sizeOf(knob.max)];
  if (min === undefined || max === undefined || size < min || size > max) {
    return { ok: false, expected: expectedValue(knob) };
  }
  return { ok: true, value };
}

/** `a duration from 10s to 1h`: what a knob takes, for messages and tables. */
export function expectedValue(knob: ScenarioKnob): string {
  return `${UNIT_TEXT[knob.unit]} from ${knob.min} to ${knob.max}`;
}

type AppliedSetting =
  | { readonly ok: true; readonly name: string; readonly value: KnobValue }
  | { readonly ok: false; readonly error: UserError };

function applySetting(
  { name: scenario, knobs }: Pick<Scenario, 'name' | 'knobs'>,
  setting: string,
): AppliedSetting {
  const equals = setting.indexOf('=');
  if (equals <= 0) return { ok: false, error: badSet(setting) };
  const [name, text] = [setting.slice(0, equals).trim(), setting.slice(equals + 1)];
  const knob = Object.hasOwn(knobs, name) ? knobs[name] : undefined;
  if (knob === undefined) {
    const known = Object.keys(knobs);
    return { ok: false, error: unknownKnob(name, scenario, nearestName(name, known), known) };
  }
  const parsed = parseKnob(knob, text);
  if (!parsed.ok) return { ok: false, error: badKnobValue(name, text, parsed.expected) };
  return { ok: true, name, value: parsed.value };
}

function numberOf(text: string): number {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** A value as a number that compares: durations in milliseconds. */
function sizeOf(value: KnobValue): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const parsed = parseDuration(value);
  return parsed.ok ? parsed.milliseconds : undefined;
}

const UNIT_TEXT: Readonly<Record<ScenarioKnob['unit'], string>> = {
  count: 'a whole number',
  duration: 'a duration with its unit',
  'per-second': 'a number per second',
  ratio: 'a number',
};
