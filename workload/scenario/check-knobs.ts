import { nearestName } from '../../model/nearest-name.js';
import { scenarioKnobSchema } from '../../model/scenario-knob.js';
import { BUILT_IN_KNOBS } from '../../model/scenario-spec.js';
import type { UserError } from '../../model/user-error.js';
import { badKnob, duplicate, unknownName, unusedKnob } from './errors.js';
import { expectedValue, parseKnob } from './knobs.js';
import type { Substituted } from './references.js';
import type { YamlDocument } from './yaml-document.js';

/** Knobs that are referred to but not there, there but not referred to, or out of their own bounds. */
export function checkKnobs(document: YamlDocument, found: Substituted): readonly UserError[] {
  const declared = knobsOf(document.value);
  const names = declared.map(([name]) => name);
  const known: readonly string[] = [...names, ...BUILT_IN_KNOBS];
  const used = new Set(found.references.map(({ knob }) => knob));
  const placeOf = (name: string) => document.placeOfKey(['knobs', name]);
  return [
    ...found.unknown
      .filter(({ knob }) => !names.includes(knob)) // a declared but malformed one is reported itself
      .map(({ path, knob }) =>
        unknownName(
          document.placeOf(path),
          { what: 'knob', name: knob },
          nearestName(knob, known),
          known,
        ),
      ),
    ...names.filter((name) => !used.has(name)).map((name) => unusedKnob(placeOf(name), name)),
    ...BUILT_IN_KNOBS.filter((name) => names.includes(name)).map((name) =>
      duplicate(placeOf(name), 'knobs (one of them is built in)', name),
    ),
    ...declared.flatMap(([name, raw]) => boundErrors(document, name, raw)),
  ];
}

function boundErrors(document: YamlDocument, name: string, raw: unknown): readonly UserError[] {
  const parsed = scenarioKnobSchema.safeParse(raw);
  if (!parsed.success) return [];
  const given = String(parsed.data.default);
  if (parseKnob(parsed.data, given).ok) return [];
  const where = document.placeOf(['knobs', name, 'default']);
  return [badKnob(where, name, given, expectedValue(parsed.data))];
}

function knobsOf(raw: unknown): readonly (readonly [string, unknown])[] {
  if (typeof raw !== 'object' || raw === null || !('knobs' in raw)) return [];
  if (typeof raw.knobs !== 'object' || raw.knobs === null) return [];
  return Object.entries(raw.knobs);
}
