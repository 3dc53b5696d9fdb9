import { bindingSource } from './binding-source.js';
import type {
  AttributeSchema,
  BlockSchema,
  CtyType,
  NestedBlockSchema,
  ObjectFields,
} from './schema.js';

/** The schema of one resource or provider, and the Terraform type that it belongs to. */
export interface BindingSchema {
  readonly type: string;
  readonly block: BlockSchema;
}

/**
 * Reads the schema that a binding was generated from out of the binding itself, so that the stand-in
 * refuses whatever the real provider's schema refuses: a misspelt argument, a missing one, a block
 * too many.
 *
 * Not in a binding and so not checked: which values are valid, and what is sensitive.
 */
export function schemaFromBinding(module: string): BindingSchema {
  const classes = classesOf(bindingSource(module));
  const resource = [...classes.values()].find(({ base }) => RESOURCE_BASES.includes(base));
  const type = /terraformResourceType: '([a-z0-9_]+)'/.exec(resource?.body ?? '')?.[1];
  if (resource === undefined || type === undefined) throw new Error(`${module} has no resource`);
  return { type, block: blockOf(resource.body, classes) };
}

const RESOURCE_BASES = ['TerraformResource', 'TerraformProvider'];

interface BindingClass {
  readonly base: string;
  readonly body: string;
}

function classesOf(source: string): ReadonlyMap<string, BindingClass> {
  const heads = [...source.matchAll(/^export class (\w+) extends cdktf\.(\w+) \{$/gm)];
  return new Map(
    heads.map(({ 1: name = '', 2: base = '', index }) => {
      const end = source.indexOf('\n}\n', index);
      return [name, { base, body: source.slice(index, end < 0 ? undefined : end) }];
    }),
  );
}

const FACT =
  /^ {2}\/\/ (\w+) - computed: (true|false), optional: (true|false), required: (true|false)$/gm;

function blockOf(body: string, classes: ReadonlyMap<string, BindingClass>): BlockSchema {
  const attributes: Record<string, AttributeSchema> = {};
  const blocks: Record<string, NestedBlockSchema> = {};
  const facts = [...body.matchAll(FACT)];
  for (const [position, fact] of facts.entries()) {
    const [, name = '', computed, optional, required] = fact;
    const text = body.slice(fact.index, facts[position + 1]?.index);
    const flags = {
      computed: computed === 'true',
      optional: optional === 'true',
      required: required === 'true',
    };
    const nested = nestedOf(text, classes);
    if (nested === undefined) attributes[name] = { type: attributeType(text), ...flags };
    else if (flags.computed && !flags.optional) {
      attributes[name] = { type: ['list', ['object', fieldsOf(nested.block)]], ...flags };
    } else blocks[name] = { ...nested, minItems: flags.required ? 1 : 0 };
  }
  return { attributes, blocks };
}

const NESTED = /^ {2}private _\w+ = new (\w+?)(OutputReference|List|Map)\(this, "(\w+)"(, true)?/m;
const PROVIDER_BLOCK = /^ {2}private _\w+\?: \w+Provider\w+(\[\])?/m;
const UNKNOWN_BLOCK: NestedBlockSchema = {
  nesting: 'list',
  minItems: 0,
  maxItems: 0,
  block: { attributes: {}, blocks: {} },
};

function nestedOf(
  text: string,
  classes: ReadonlyMap<string, BindingClass>,
): NestedBlockSchema | undefined {
  const [, stem = '', kind, name, set] = NESTED.exec(text) ?? [];
  const element = classes.get(`${stem}OutputReference`);
  // Providers have no such classes: their blocks are known by name only.
  if (element === undefined) return PROVIDER_BLOCK.test(text) ? UNKNOWN_BLOCK : undefined;
  const one = kind === 'OutputReference';
  return {
    // Only `timeouts` is a single block; others of which there is one are lists of at most one.
    nesting: name === 'timeouts' ? 'single' : set === ', true' ? 'set' : 'list',
    minItems: 0,
    maxItems: one && name !== 'timeouts' ? 1 : 0,
    block: blockOf(element.body, classes),
  };
}

/** The getter tells the type; a set is what it turns into a list. Providers have only a field. */
function attributeType(text: string): CtyType {
  const [, wrapped, kind] =
    /return (cdktf\.Fn\.tolist\()?this\.get(\w+)Attribute\(/.exec(text) ?? [];
  const element = kind === undefined ? undefined : ELEMENT_TYPES[kind];
  if (element === undefined) return fieldType(text);
  return wrapped !== undefined && Array.isArray(element) ? ['set', element[1] as CtyType] : element;
}

const ELEMENT_TYPES: Readonly<Record<string, CtyType>> = {
  String: 'string',
  Number: 'number',
  Boolean: 'bool',
  List: ['list', 'string'],
  NumberList: ['list', 'number'],
  StringMap: ['map', 'string'],
};

function fieldType(text: string): CtyType {
  if (/private _\w+\?: string\[\]/.test(text)) return ['list', 'string'];
  if (/private _\w+\?: number/.test(text)) return 'number';
  if (/private _\w+\?: boolean/.test(text)) return 'bool';
  if (/private _\w+\?: \{ \[key: string\]: string \}/.test(text)) return ['map', 'string'];
  return 'string';
}

function fieldsOf(block: BlockSchema): ObjectFields {
  const own = Object.entries(block.attributes).map(([name, { type }]) => [name, type] as const);
  const nested = Object.entries(block.blocks).map(
    ([name, child]) => [name, ['list', ['object', fieldsOf(child.block)]] as CtyType] as const,
  );
  return Object.fromEntries([...own, ...nested]);
}
