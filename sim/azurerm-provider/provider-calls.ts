import { z } from 'zod';
import type { Cloud } from './cloud.js';
import { decodeValue, encodeValue, isObject, type CtyObject, type CtyValue } from './cty-codec.js';
import type { Refusal } from './fleet-side.js';
import { fillUnknowns, planChange } from './plan-change.js';
import { madeValues, resourceId } from './resource-ids.js';
import type { BlockSchema } from './schema.js';
import { schemaMessage } from './schema-message.js';

/** What a provider serves. */
export interface ProviderParts {
  readonly provider: BlockSchema;
  readonly resources: ReadonlyMap<string, BlockSchema>;
  readonly cloud: Cloud;
}

/** Answers to one kind of call; what they are given and give are the messages of the protocol. */
export type Call = (request: unknown) => Promise<Record<string, unknown>>;

const bytes = z.instanceof(Uint8Array);
const dynamic = z.object({ msgpack: bytes });
const change = z.object({ type_name: z.string(), prior_state: dynamic });

/** The calls of the protocol, by name. */
export function providerCalls(parts: ProviderParts): Readonly<Record<string, Call>> {
  return {
    GetProviderSchema: () => Promise.resolve(allSchemas(parts)),
    ValidateProviderConfig: () => Promise.resolve({}),
    ValidateResourceConfig: () => Promise.resolve({}),
    ConfigureProvider: () => Promise.resolve({}),
    StopProvider: () => Promise.resolve({}),
    UpgradeResourceState: (request) => Promise.resolve(upgrade(request)),
    ReadResource: (request) => Promise.resolve(read(parts, request)),
    PlanResourceChange: (request) => Promise.resolve(plan(parts, request)),
    ApplyResourceChange: (request) => apply(parts, request),
  };
}

function allSchemas({ provider, resources }: ProviderParts): Record<string, unknown> {
  return {
    provider: schemaMessage(provider),
    resource_schemas: Object.fromEntries(
      [...resources].map(([type, block]) => [type, schemaMessage(block)]),
    ),
  };
}

/** The state is JSON; Terraform takes it back as it is. */
function upgrade(request: unknown): Record<string, unknown> {
  const { raw_state } = z.object({ raw_state: z.object({ json: bytes }) }).parse(request);
  return { upgraded_state: { json: raw_state.json } };
}

function read(parts: ProviderParts, request: unknown): Record<string, unknown> {
  const asked = z.object({ type_name: z.string(), current_state: dynamic }).parse(request);
  const current = decodeValue(asked.current_state.msgpack);
  if (asked.type_name === NULL_RESOURCE || !isObject(current)) return state(current);
  return state(parts.cloud.read(idOf(current)) ?? null);
}

function plan(parts: ProviderParts, request: unknown): Record<string, unknown> {
  const asked = change.extend({ proposed_new_state: dynamic }).parse(request);
  const { planned, replace } = planChange(
    asked.type_name,
    schemaOf(parts, asked.type_name),
    decodeValue(asked.prior_state.msgpack),
    decodeValue(asked.proposed_new_state.msgpack),
  );
  return {
    planned_state: { msgpack: encodeValue(planned) },
    requires_replace: replace.map((name) => ({ steps: [{ attribute_name: name }] })),
    // azurerm is made with the old SDK, whose plans need not agree with the configuration exactly.
    legacy_type_system: true,
  };
}

async function apply(parts: ProviderParts, request: unknown): Promise<Record<string, unknown>> {
  const asked = change.extend({ planned_state: dynamic }).parse(request);
  const type = asked.type_name;
  const prior = decodeValue(asked.prior_state.msgpack);
  const planned = decodeValue(asked.planned_state.msgpack);
  if (!isObject(planned)) return remove(parts, type, prior);
  if (type === NULL_RESOURCE) return state(nullResource(parts, planned));
  const id = isObject(prior) ? idOf(prior) : resourceId(type, planned);
  const value = fillUnknowns(schemaOf(parts, type), planned, madeValues(type, id));
  const refusal = isObject(prior)
    ? await parts.cloud.update(type, id, value)
    : await parts.cloud.create(type, id, value);
  return refusal === undefined ? state(value) : { ...state(prior), ...diagnostic(refusal) };
}

async function remove(
  parts: ProviderParts,
  type: string,
  prior: CtyValue,
): Promise<Record<string, unknown>> {
  if (type === NULL_RESOURCE || !isObject(prior)) return state(null);
  const refusal = await parts.cloud.delete(type, idOf(prior));
  return refusal === undefined ? state(null) : { ...state(prior), ...diagnostic(refusal) };
}

const NULL_RESOURCE = 'null_resource';
let made = 0;

function nullResource(parts: ProviderParts, planned: CtyObject): CtyObject {
  made += 1;
  return fillUnknowns(schemaOf(parts, NULL_RESOURCE), planned, { id: String(made) });
}

function schemaOf(parts: ProviderParts, type: string): BlockSchema {
  const schema = parts.resources.get(type);
  if (schema === undefined) throw new Error(`the stand-in does not know ${type}`);
  return schema;
}

function idOf(value: CtyObject): string {
  return typeof value['id'] === 'string' ? value['id'] : '';
}

function state(value: CtyValue): Record<string, unknown> {
  return { new_state: { msgpack: encodeValue(value) } };
}

function diagnostic({ code, message }: Refusal): Record<string, unknown> {
  return { diagnostics: [{ severity: 'ERROR', summary: code, detail: `${code}: ${message}` }] };
}
