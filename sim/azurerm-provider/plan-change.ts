import {
  isObject,
  sameValue,
  Unknown,
  UNKNOWN,
  type CtyObject,
  type CtyValue,
} from './cty-codec.js';
import { forcesReplacement } from './force-new.js';
import type { BlockSchema, CtyType } from './schema.js';

/** What a provider answers to a plan. */
export interface PlannedChange {
  readonly planned: CtyValue;
  /** Attributes whose change makes a new resource necessary. */
  readonly replace: readonly string[];
}

/** Plans a change the way that azurerm does: computed values of something new are not known yet. */
export function planChange(
  type: string,
  schema: BlockSchema,
  prior: CtyValue,
  proposed: CtyValue,
): PlannedChange {
  if (!isObject(proposed)) return { planned: proposed, replace: [] };
  if (!isObject(prior)) return { planned: withUnknowns(schema, proposed), replace: [] };
  const replace = Object.keys(proposed).filter(
    (name) =>
      forcesReplacement(type, name) && !sameValue(prior[name] ?? null, proposed[name] ?? null),
  );
  return { planned: proposed, replace };
}

/** What exists after an apply: everything that was unknown gets a value. */
export function fillUnknowns(schema: BlockSchema, planned: CtyObject, made: CtyObject): CtyObject {
  const attributes = Object.entries(schema.attributes).map(([name, { type }]) => {
    const value = planned[name] ?? null;
    return [
      name,
      value instanceof Unknown ? (made[name] ?? emptyValue(type, name)) : value,
    ] as const;
  });
  const blocks = Object.entries(schema.blocks).map(
    ([name, { block }]) =>
      [name, mapBlocks(planned[name] ?? null, (each) => fillUnknowns(block, each, {}))] as const,
  );
  return Object.fromEntries([...attributes, ...blocks]);
}

function withUnknowns(schema: BlockSchema, proposed: CtyObject): CtyObject {
  const attributes = Object.entries(schema.attributes).map(([name, { computed }]) => {
    const value = proposed[name] ?? null;
    return [name, computed && value === null ? UNKNOWN : value] as const;
  });
  const blocks = Object.entries(schema.blocks).map(
    ([name, { block }]) =>
      [name, mapBlocks(proposed[name] ?? null, (each) => withUnknowns(block, each))] as const,
  );
  return Object.fromEntries([...attributes, ...blocks]);
}

function mapBlocks(value: CtyValue, change: (block: CtyObject) => CtyObject): CtyValue {
  if (Array.isArray(value)) {
    return value.map((each: CtyValue) => (isObject(each) ? change(each) : each));
  }
  return isObject(value) ? change(value) : value;
}

function emptyValue(type: CtyType, name: string): CtyValue {
  if (type === 'string') return `made-${name}`;
  if (type === 'number') return 0;
  if (type === 'bool') return false;
  return type[0] === 'map' || type[0] === 'object' ? {} : [];
}
