/** A Terraform type as its JSON spelling: `"string"`, `["list", "string"]`, `["object", {…}]`. */
export type CtyType = string | readonly [string, CtyType] | readonly ['object', ObjectFields];

/** Types of the fields of an object. */
export interface ObjectFields {
  readonly [name: string]: CtyType;
}

/** An argument or a computed value. */
export interface AttributeSchema {
  readonly type: CtyType;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
}

/** A block inside of a resource. */
export interface NestedBlockSchema {
  readonly nesting: 'single' | 'list' | 'set';
  readonly minItems: number;
  /** 0 is no limit. */
  readonly maxItems: number;
  readonly block: BlockSchema;
}

/** What a resource, a provider or a block may hold. */
export interface BlockSchema {
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
  readonly blocks: Readonly<Record<string, NestedBlockSchema>>;
}
