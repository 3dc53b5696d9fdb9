import { z } from 'zod';
import { attemptOutcomeSchema } from '../model/attempt-outcome.js';
import { inventorySchema } from '../model/inventory.js';
import { measurementFileSchema } from '../model/measurement-spec.js';
import { meshSpecSchema } from '../model/mesh-spec.js';
import { rowSchema } from '../model/row.js';
import { runPlanSchema } from '../model/run-plan.js';
import { KNOB_REFERENCE, scenarioSchema } from '../model/scenario-spec.js';
import { runVerdictSchema } from '../model/verdict.js';
import { journalEntrySchema } from '../workload/exec/journal.js';
import { coverageFileSchema } from '../workload/results/coverage-file.js';
import { probeLineSchema } from '../workload/results/probe-line.js';

/** A file of `schemas/` as it has to be. */
export interface SchemaFile {
  readonly name: string;
  readonly content: unknown;
}

/** JSON Schemas of all files that people write or that a run leaves, from the types themselves. */
export function schemaFiles(): readonly SchemaFile[] {
  const files = [
    { name: 'attempt-outcome.json', title: 'Outcome', schema: toJson(attemptOutcomeSchema) },
    { name: 'coverage.json', title: 'Coverage', schema: toJson(coverageFileSchema) },
    { name: 'inventory.json', title: 'Inventory', schema: toJson(inventorySchema) },
    { name: 'journal-entry.json', title: 'Journal line', schema: toJson(journalEntrySchema) },
    { name: 'measurement.json', title: 'Measurements', schema: toJson(measurementFileSchema) },
    { name: 'mesh-spec.json', title: 'Mesh spec', schema: toJson(meshSpecSchema) },
    { name: 'probe-line.json', title: 'Probe line', schema: toJson(probeLineSchema) },
    { name: 'row.json', title: 'Row', schema: toJson(rowSchema) },
    { name: 'run-plan.json', title: 'Run plan', schema: toJson(runPlanSchema) },
    { name: 'scenario.json', title: 'Scenario', schema: withReferences(toJson(scenarioSchema)) },
    { name: 'verdict.json', title: 'Verdict', schema: toJson(runVerdictSchema) },
  ];
  return files.map(({ name, title, schema }) => ({ name, content: { title, ...schema } }));
}

type Json = Readonly<Record<string, unknown>>;

function toJson(schema: z.ZodType): Json {
  return { ...z.toJSONSchema(schema, { io: 'input' }) };
}

/** A scenario file may write `${knob}` for every number and duration outside of the knobs. */
function withReferences(schema: Json): Json {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return schema;
  const opened = Object.entries(properties).map(([name, property]: [string, unknown]) => [
    name,
    name === 'knobs' || name === 'schemaVersion' ? property : openLeaves(property),
  ]);
  return { ...schema, properties: Object.fromEntries(opened) as unknown };
}

function openLeaves(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openLeaves);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (isNumberLeaf(schema)) return { anyOf: [schema, REFERENCE] };
  const entries = Object.entries(schema).map(([key, value]: [string, unknown]) => [
    key,
    openLeaves(value),
  ]);
  return Object.fromEntries(entries) as unknown;
}

function isNumberLeaf(schema: object): boolean {
  if (!('type' in schema) || 'const' in schema) return false;
  if (schema.type === 'number' || schema.type === 'integer') return true;
  return 'pattern' in schema && String(schema.pattern).includes('(ms|s|m|h)');
}

const REFERENCE = { type: 'string', pattern: KNOB_REFERENCE.source };
