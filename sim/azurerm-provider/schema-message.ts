import type { BlockSchema } from './schema.js';

const NESTING = { single: 'SINGLE', list: 'LIST', set: 'SET' } as const;

/** A schema as a message of the protocol. */
export function schemaMessage(block: BlockSchema): Record<string, unknown> {
  return { version: 0, block: blockMessage(block) };
}

function blockMessage({ attributes, blocks }: BlockSchema): Record<string, unknown> {
  return {
    attributes: Object.entries(attributes).map(([name, attribute]) => ({
      ...attribute,
      name,
      type: Buffer.from(JSON.stringify(attribute.type)),
    })),
    block_types: Object.entries(blocks).map(([name, nested]) => ({
      type_name: name,
      nesting: NESTING[nested.nesting],
      min_items: nested.minItems,
      max_items: nested.maxItems,
      block: blockMessage(nested.block),
    })),
  };
}
