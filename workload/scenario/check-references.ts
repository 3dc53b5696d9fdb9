import { nearestName } from '../../model/nearest-name.js';
import type { Scenario, VerdictRule } from '../../model/scenario-spec.js';
import type { UserError } from '../../model/user-error.js';
import type { Catalogue } from '../measure/catalogue.js';
import { badField, duplicate, unknownName } from './errors.js';
import type { FieldPath, YamlDocument } from './yaml-document.js';

/** Names inside a scenario that lead nowhere, or twice somewhere. */
export function checkReferences(
  scenario: Scenario,
  document: YamlDocument,
  catalogue: Catalogue,
): readonly UserError[] {
  const phases = scenario.phases.map(({ name }) => name);
  const probes = scenario.probes.map(({ id }) => id);
  const lookUp = referenceCheck(document);
  return [
    ...duplicates(document, 'phases', 'phases', 'name', phases),
    ...duplicates(document, 'probes', 'probes', 'id', probes),
    ...scenario.faults.flatMap(({ at }, index) =>
      lookUp('phase', at, phases, ['faults', index, 'at']),
    ),
    ...scenario.probes.flatMap(({ at }, index) =>
      lookUp('phase', at, phases, ['probes', index, 'at']),
    ),
    ...measurementErrors(scenario, document, catalogue),
    ...scenario.verdict.rules.flatMap((rule, index) =>
      ruleReferences(rule, scenario, catalogue).flatMap(({ what, name, known, field }) =>
        lookUp(what, name, known, ['verdict', 'rules', index, field]),
      ),
    ),
  ];
}

function measurementErrors(
  scenario: Scenario,
  document: YamlDocument,
  catalogue: Catalogue,
): readonly UserError[] {
  const lookUp = referenceCheck(document);
  const phases = scenario.phases.map(({ name }) => name);
  const ids = [...catalogue.byId.keys()];
  return scenario.measurements.flatMap(({ id, phase, through = phase }, index) => {
    const at = (field: string): FieldPath => ['measurements', index, field];
    const backwards =
      phases.includes(through) && phases.indexOf(through) < phases.indexOf(phase)
        ? [
            badField(document.placeOf(at('through')), 'the window ends before it begins', {
              given: through,
              expected: `${phase} or a later phase`,
            }),
          ]
        : [];
    return [
      ...lookUp('measurement', id, ids, at('id')),
      ...lookUp('phase', phase, phases, at('phase')),
      ...(through === phase ? [] : lookUp('phase', through, phases, at('through'))),
      ...backwards,
    ];
  });
}

interface RuleReference {
  readonly what: string;
  readonly name: string;
  readonly known: readonly string[];
  readonly field: string;
}

function ruleReferences(
  rule: VerdictRule,
  scenario: Scenario,
  catalogue: Catalogue,
): readonly RuleReference[] {
  switch (rule.rule) {
    case 'stimulus':
    case 'replaced': {
      const known = scenario.phases.map(({ name }) => name);
      return [{ what: 'phase', name: rule.phase, known, field: 'phase' }];
    }
    case 'seen':
    case 'propagation': {
      const known = scenario.probes.map(({ id }) => id);
      return [{ what: 'probe', name: rule.probe, known, field: 'probe' }];
    }
    case 'value': {
      const asked = scenario.measurements.map(({ id }) => id);
      const queries = catalogue.byId.get(rule.measurement)?.queries.map(({ name }) => name);
      return [
        { what: 'measurement', name: rule.measurement, known: asked, field: 'measurement' },
        ...(queries === undefined
          ? []
          : [{ what: 'query', name: rule.query, known: queries, field: 'query' }]),
      ];
    }
    case 'coverage':
      return [];
  }
}

function referenceCheck(document: YamlDocument) {
  return (what: string, name: string, known: readonly string[], path: FieldPath) =>
    known.includes(name)
      ? []
      : [unknownName(document.placeOf(path), { what, name }, nearestName(name, known), known)];
}

function duplicates(
  document: YamlDocument,
  list: string,
  what: string,
  field: string,
  names: readonly string[],
): readonly UserError[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [duplicate(document.placeOf([list, index, field]), what, name)],
  );
}
