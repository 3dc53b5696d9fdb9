import type { Milliseconds } from '../../../model/quantity.js';

/** How to reach an etcd. */
export interface EtcdAccess {
  /** `https://127.0.0.1:20021` or `http://…` */
  readonly endpoint: string;
  readonly caPem?: string | undefined;
  readonly certPem?: string | undefined;
  readonly keyPem?: string | undefined;
}

/** One key with its value. Revisions are decimal texts: they outgrow a double. */
export interface EtcdEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: string;
  readonly modRevision: string;
}

/** One change under a watched prefix. */
export type EtcdEvent =
  | { readonly type: 'put'; readonly entry: EtcdEntry }
  | { readonly type: 'delete'; readonly key: string; readonly modRevision: string };

/** Why an etcd watch ended. `compacted`: the revision is gone; read again and watch from there. */
export type EtcdWatchEnd =
  | { readonly reason: 'aborted' }
  | { readonly reason: 'compacted'; readonly compactRevision: string }
  | { readonly reason: 'lost'; readonly cause: unknown };

/** The parts of etcd v3 that we use, over gRPC. */
export interface EtcdClient {
  readonly access: EtcdAccess;
  /** All entries under a prefix, in pages, with the revision they were read at. */
  readPrefix(
    prefix: string,
  ): Promise<{ readonly revision: string; readonly entries: readonly EtcdEntry[] }>;
  /** How many keys stand under a prefix, without reading them. */
  countPrefix(prefix: string): Promise<{ readonly revision: string; readonly count: number }>;
  get(key: string): Promise<EtcdEntry | undefined>;
  /** Writes one key; gives the revision. */
  put(key: string, value: string | Uint8Array): Promise<string>;
  /** Writes many keys in one transaction (etcd's default limit: 128 operations). */
  putAll(entries: readonly { readonly key: string; readonly value: string }[]): Promise<string>;
  delete(key: string): Promise<number>;
  deletePrefix(prefix: string): Promise<number>;
  /**
   * Watches a prefix. `onOpen` is called when etcd has confirmed the watch; `onEvents` gets each
   * batch as it arrives. Resolves when the watch has ended, with the reason.
   */
  watchPrefix(
    prefix: string,
    options: { readonly startRevision?: string | undefined; readonly signal: AbortSignal },
    handlers: { onOpen?(revision: string): void; onEvents(events: readonly EtcdEvent[]): void },
  ): Promise<EtcdWatchEnd>;
  /** Database size and revision, from the maintenance API. */
  status(): Promise<{
    readonly version: string;
    readonly sizeBytes: number;
    readonly revision: string;
  }>;
  compact(revision: string): Promise<void>;
  /** Resolves once the connection answers, or rejects after `budget`. */
  ready(budget: Milliseconds): Promise<void>;
  close(): void;
}
