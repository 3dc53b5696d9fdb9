import type { EtcdEntry, EtcdEvent } from './etcd-client.js';

/** etcd's answers as the loader gives them: 64-bit numbers are decimal texts. */
export interface Header {
  readonly revision: string;
}

/** A key and its value on the wire. */
export interface WireKeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly create_revision: string;
  readonly mod_revision: string;
}

/** Answer to Range. */
export interface RangeAnswer {
  readonly header: Header;
  readonly kvs: readonly WireKeyValue[];
  readonly more: boolean;
  readonly count: string;
}

/** Answer to Put, Txn and Compact. */
export interface HeaderAnswer {
  readonly header: Header;
}

/** Answer to DeleteRange. */
export interface DeleteAnswer {
  readonly deleted: string;
}

/** Answer to Status. */
export interface StatusAnswer {
  readonly header: Header;
  readonly version: string;
  readonly dbSize: string;
}

/** One message of a watch stream. */
export interface WatchAnswer {
  readonly header: Header;
  readonly created: boolean;
  readonly canceled: boolean;
  /** `0` unless the watch was cancelled because its revision is compacted. */
  readonly compact_revision: string;
  readonly cancel_reason: string;
  /** True when the rest of these events follows in the next message. */
  readonly fragment: boolean;
  readonly events: readonly { readonly type: 'PUT' | 'DELETE'; readonly kv: WireKeyValue }[];
}

/** A key with its value. */
export function entryOf(kv: WireKeyValue): EtcdEntry {
  return {
    key: textOf(kv.key),
    value: kv.value,
    createRevision: kv.create_revision,
    modRevision: kv.mod_revision,
  };
}

/** A change. */
export function eventOf(event: WatchAnswer['events'][number]): EtcdEvent {
  return event.type === 'PUT'
    ? { type: 'put', entry: entryOf(event.kv) }
    : { type: 'delete', key: textOf(event.kv.key), modRevision: event.kv.mod_revision };
}

/** The range of all keys under a prefix; the empty prefix means every key. */
export function prefixRange(prefix: string): { key: Uint8Array; range_end: Uint8Array } {
  if (prefix === '') return { key: NUL, range_end: NUL };
  const key = Buffer.from(prefix);
  // UTF-8 has no byte 0xff, so the last byte can always be raised by one.
  const end = Buffer.from(key);
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1;
  return { key, range_end: end };
}

/** The smallest key behind this one. */
export function keyAfter(key: Uint8Array): Uint8Array {
  return Buffer.concat([key, NUL]);
}

const NUL = Buffer.from([0]);

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
