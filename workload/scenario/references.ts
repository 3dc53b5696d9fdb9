import type { KnobValue } from '../../model/scenario-knob.js';
import { KNOB_REFERENCE } from '../../model/scenario-spec.js';
import type { FieldPath } from './yaml-document.js';

/** A place in a scenario file that names a knob. */
export interface KnobReference {
  readonly path: FieldPath;
  readonly knob: string;
}

/** A scenario's raw content with values in the place of knob names. */
export interface Substituted {
  readonly value: unknown;
  readonly references: readonly KnobReference[];
  /** References that `values` has nothing for; they stand unchanged in `value`. */
  readonly unknown: readonly KnobReference[];
}

/**
 * Puts the value of a knob wherever a whole value reads `${knob}`. Text that merely contains one is
 * left alone and the schema refuses it where a number is due: there are no partial references.
 * Knob definitions themselves are not looked into.
 */
export function substituteKnobs(
  raw: unknown,
  values: Readonly<Record<string, KnobValue>>,
): Substituted {
  const references: KnobReference[] = [];
  const visit = (value: unknown, path: FieldPath): unknown => {
    if (typeof value === 'string') return visitText(value, path);
    if (path.length === 1 && path[0] === 'knobs') return value;
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, inner]) => [key, visit(inner, [...path, key])]));
  };
  const visitText = (text: string, path: FieldPath): unknown => {
    const knob = KNOB_REFERENCE.exec(text)?.[1];
    if (knob === undefined) return text;
    references.push({ path, knob });
    return Object.hasOwn(values, knob) ? values[knob] : text;
  };
  const value = visit(raw, []);
  const unknown = references.filter(({ knob }) => !Object.hasOwn(values, knob));
  return { value, references, unknown };
}
