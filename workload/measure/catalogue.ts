import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  measurementFileSchema,
  type MeasurementFile,
  type MeasurementSpec,
} from '../../model/measurement-spec.js';
import { throwAll, type UserError } from '../../model/user-error.js';
import { badPromql, duplicate } from '../scenario/errors.js';
import { fieldErrors, readYaml, type YamlDocument } from '../scenario/yaml-document.js';
import { checkPromql } from './promql.js';
import { renderExpression, stampedSelection } from './selector.js';

/** A measurement together with the group that it belongs to. */
export interface CataloguedMeasurement extends MeasurementSpec {
  readonly group: string;
}

/** All measurements that there are. */
export interface Catalogue {
  readonly groups: readonly MeasurementFile[];
  readonly byId: ReadonlyMap<string, CataloguedMeasurement>;
}

/**
 * Reads every `*.yaml` of a folder. Throws all that is wrong with any of them: unknown keys, the same
 * id twice, expressions that the official PromQL grammar refuses.
 */
export async function loadCatalogue(directory: string): Promise<Catalogue> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.yaml')).sort();
  const read = await Promise.all(
    names.map(async (name) => {
      const file = join(directory, name);
      return readCatalogueFile(await readFile(file, 'utf8'), file);
    }),
  );
  const groups = read.flatMap(({ group }) => (group === undefined ? [] : [group]));
  throwAll([...read.flatMap(({ errors }) => errors), ...sharedIds(groups, directory)]);
  return catalogueOf(groups);
}

/** A catalogue of these groups. The first of two measurements with one id wins. */
export function catalogueOf(groups: readonly MeasurementFile[]): Catalogue {
  const byId = new Map<string, CataloguedMeasurement>();
  for (const { group, measurements } of groups) {
    for (const measurement of measurements) {
      if (!byId.has(measurement.id)) byId.set(measurement.id, { ...measurement, group });
    }
  }
  return { groups, byId };
}

/** One file of the catalogue with everything that is wrong with it. */
export interface ReadCatalogueFile {
  readonly group: MeasurementFile | undefined;
  readonly errors: readonly UserError[];
}

/** Reads the text of one catalogue file. */
export function readCatalogueFile(text: string, file: string): ReadCatalogueFile {
  const yaml = readYaml(text, file);
  if (!yaml.ok) return { group: undefined, errors: yaml.errors };
  const parsed = measurementFileSchema.safeParse(yaml.document.value);
  if (!parsed.success) {
    return { group: undefined, errors: fieldErrors(yaml.document, parsed.error.issues) };
  }
  const errors = [
    ...duplicateIds(parsed.data, yaml.document),
    ...promqlErrors(parsed.data, yaml.document),
  ];
  return { group: parsed.data, errors };
}

/** Ids that two groups share; within one group its own file is told. */
function sharedIds(groups: readonly MeasurementFile[], directory: string): readonly UserError[] {
  const owners = new Map<string, string>();
  return groups.flatMap(({ group, measurements }) =>
    measurements.flatMap(({ id }) => {
      const owner = owners.get(id) ?? group;
      owners.set(id, owner);
      return owner === group ? [] : [duplicate({ file: directory }, 'measurements', id)];
    }),
  );
}

function duplicateIds({ measurements }: MeasurementFile, document: YamlDocument) {
  const ids = measurements.map(({ id }) => id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [duplicate(document.placeOf(['measurements', index, 'id']), 'measurements', id)],
  );
}

function promqlErrors({ measurements }: MeasurementFile, document: YamlDocument) {
  return measurements.flatMap(({ source, queries }, index) =>
    queries.flatMap((query, position) => {
      const expr = renderExpression(query, { ...ANY_TARGET, source });
      const checked = checkPromql(expr);
      if (checked.ok) return [];
      const where = document.placeOf(['measurements', index, 'queries', position]);
      return [badPromql(where, expr, checked.problem)];
    }),
  );
}

/** For a syntax check, before any Prometheus is known. */
const ANY_TARGET = { selection: stampedSelection('mesh-001'), window: '60000ms' };
