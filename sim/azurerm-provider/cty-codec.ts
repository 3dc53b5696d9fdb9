import { decode, encode, ExtData, ExtensionCodec } from '@msgpack/msgpack';

/** A value that Terraform doesn't know before apply; kept as it came, with what it does know of it. */
export class Unknown {
  constructor(
    private readonly type: number,
    private readonly data: Uint8Array,
  ) {}

  /** As the extension of MessagePack that Terraform reads. */
  toExtension(): ExtData {
    return new ExtData(this.type, this.data);
  }
}

/** Nothing known at all. */
export const UNKNOWN = new Unknown(0, new Uint8Array([0]));

/** A value of Terraform: objects and maps are objects, lists and sets arrays. */
export type CtyValue =
  | null
  | boolean
  | number
  | string
  | Unknown
  | readonly CtyValue[]
  | { readonly [name: string]: CtyValue };

/** The attributes and blocks of one resource. */
export type CtyObject = Readonly<Record<string, CtyValue>>;

/** Reads what Terraform sends. */
export function decodeValue(bytes: Uint8Array): CtyValue {
  return decode(bytes, { extensionCodec: codec }) as CtyValue;
}

/** Writes what Terraform reads. */
export function encodeValue(value: CtyValue): Buffer {
  return Buffer.from(encode(toExtensions(value)));
}

/** Whether `value` is an object with fields. */
export function isObject(value: CtyValue | undefined): value is CtyObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown)
  );
}

/** Whether two values are the same and both are known. */
export function sameValue(a: CtyValue, b: CtyValue): boolean {
  if (a instanceof Unknown || b instanceof Unknown) return false;
  return Buffer.compare(encodeValue(a), encodeValue(b)) === 0;
}

const codec = new ExtensionCodec();
for (const type of [0, 12]) {
  codec.register({ type, encode: () => null, decode: (data) => new Unknown(type, data) });
}

function toExtensions(value: CtyValue): unknown {
  if (value instanceof Unknown) return value.toExtension();
  if (Array.isArray(value)) return value.map(toExtensions);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, toExtensions(field)]),
  );
}
