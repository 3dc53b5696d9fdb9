import type { KnobValue } from '../../model/scenario-knob.js';
import { scenarioKnobSchema } from '../../model/scenario-knob.js';
import { scenarioSchema, type Scenario } from '../../model/scenario-spec.js';
import type { UserError } from '../../model/user-error.js';
import type { Catalogue } from '../measure/catalogue.js';
import { checkReferences } from './check-references.js';
import { checkKnobs } from './check-knobs.js';
import { substituteKnobs } from './references.js';
import { fieldErrors, readYaml, type YamlDocument } from './yaml-document.js';

/** Values of the names that every scenario may refer to besides its knobs. */
export interface BuiltInValues {
  readonly clusters: number;
  /** The other clusters: `clusters` − 1. */
  readonly peers: number;
}

/** A scenario file that has been read and found right. */
export interface LoadedScenario {
  readonly file: string;
  readonly document: YamlDocument;
  /** With every knob at its default, for two clusters. */
  readonly scenario: Scenario;
}

/** What loading gives: the scenario, or everything that is wrong with it, each at its line. */
export type LoadResult =
  | { readonly ok: true; readonly loaded: LoadedScenario }
  | { readonly ok: false; readonly errors: readonly UserError[] };

/** Reads and checks the text of a `scenario.yaml` against the schema and the catalogue. */
export function loadScenario(text: string, file: string, catalogue: Catalogue): LoadResult {
  const yaml = readYaml(text, file);
  if (!yaml.ok) return yaml;
  const { document } = yaml;
  const values = { ...TWO_CLUSTERS, ...defaultsOf(document.value) };
  const substituted = substituteKnobs(document.value, values);
  const parsed = scenarioSchema.safeParse(substituted.value);
  const knobErrors = checkKnobs(document, substituted);
  if (!parsed.success) {
    const dangling = new Set(substituted.unknown.map(({ path }) => path.join('\n')));
    const issues = parsed.error.issues.filter((issue) => !dangling.has(issue.path.join('\n')));
    return { ok: false, errors: [...knobErrors, ...fieldErrors(document, issues)] };
  }
  const errors = [...knobErrors, ...checkReferences(parsed.data, document, catalogue)];
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, loaded: { file, document, scenario: parsed.data } };
}

/** What resolving gives: the scenario with these knob values, or what they make impossible. */
export type ResolveResult =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly errors: readonly UserError[] };

/** The scenario with these values in the place of its knob names. */
export function resolveScenario(
  { document }: LoadedScenario,
  knobs: Readonly<Record<string, KnobValue>>,
  builtIns: BuiltInValues,
): ResolveResult {
  const { value } = substituteKnobs(document.value, { ...builtIns, ...knobs });
  const parsed = scenarioSchema.safeParse(value);
  if (parsed.success) return { ok: true, scenario: parsed.data };
  return { ok: false, errors: fieldErrors(document, parsed.error.issues) };
}

/** Only to check a file before any inventory is known. */
const TWO_CLUSTERS: Readonly<Record<string, KnobValue>> = { clusters: 2, peers: 1 };

/** Defaults of the knobs that are well formed; the others are reported by the schema. */
function defaultsOf(raw: unknown): Readonly<Record<string, KnobValue>> {
  if (typeof raw !== 'object' || raw === null || !('knobs' in raw)) return {};
  if (typeof raw.knobs !== 'object' || raw.knobs === null) return {};
  const defaults = Object.entries(raw.knobs).flatMap(([name, knob]: [string, unknown]) => {
    const parsed = scenarioKnobSchema.safeParse(knob);
    return parsed.success ? [[name, parsed.data.default] as const] : [];
  });
  return Object.fromEntries(defaults);
}
