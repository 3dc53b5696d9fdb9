import type { Milliseconds } from '../../model/quantity.js';

/** How to reach an API server and who we are there. Held in memory only. */
export interface KubeAccess {
  /** `https://127.0.0.1:20011` */
  readonly server: string;
  /** PEM of the CA that signed the server's certificate. @default - the system's CAs */
  readonly caPem?: string | undefined;
  readonly credential:
    | { readonly kind: 'certificate'; readonly certPem: string; readonly keyPem: string }
    | { readonly kind: 'token'; readonly token: string }
    | { readonly kind: 'none' };
  /** True only when the user's kubeconfig says `insecure-skip-tls-verify`. @default false */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name the server's certificate must carry. @default - the host in `server` */
  readonly tlsServerName?: string | undefined;
}

/** A Kubernetes object, as little of it as every kind has. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: KubeMetadata;
  readonly [field: string]: unknown;
}

/** The part of `metadata` that we read. */
export interface KubeMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  }[];
}

/** A list as the API server gives it. */
export interface KubeList {
  readonly resourceVersion: string;
  readonly items: readonly KubeObject[];
}

/** What a watch tells. `bookmark` only moves the resource version. */
export type KubeWatchEvent =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: KubeObject }
  | { readonly type: 'bookmark'; readonly resourceVersion: string };

/** Why a watch stream ended. `expired`: the resource version is too old, list again. */
export type WatchEnd =
  | { readonly reason: 'closed' | 'expired' | 'aborted' }
  | { readonly reason: 'failed'; readonly cause: unknown };

/** The answer to one request: `status` 0 stands for no answer at all. */
export type KubeAnswer =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | {
      readonly ok: false;
      readonly status: number;
      /**
       * Kubernetes' `reason`, such as `AlreadyExists`. Without an answer: the system's error code,
       * `Timeout` when ours ran out, or `Aborted`.
       */
      readonly reason: string;
      readonly message: string;
      /** How long the server asks us to wait, on 429 and some 5xx. @default - it doesn't say */
      readonly retryAfter?: Milliseconds;
    };

/** Body formats of a patch. `apply` is server-side apply, in our name unless the path names a manager. */
export type PatchKind = 'merge' | 'strategic' | 'json' | 'apply';

/** Per-request settings. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** @default 30 s (ours: ten times the slowest answer seen from a local API server under load) */
  readonly timeout?: Milliseconds | undefined;
}

/** What a watch calls, always in the order of the stream. */
export interface WatchHandlers {
  /** The server has accepted the watch. */
  onOpen?(): void;
  /** Bytes are there, nothing in them is parsed yet: the place to read the clock for all their events. */
  onBytes?(): void;
  onEvent(event: KubeWatchEvent): void;
}

/**
 * A thin client of one API server over kept-alive HTTP. Paths are the API's own, such as
 * `/api/v1/namespaces/default/pods`. Refusals are values; nothing is thrown for an answer.
 */
export interface KubeClient {
  readonly access: KubeAccess;
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<KubeAnswer>;
  patch(
    path: string,
    kind: PatchKind,
    body: unknown,
    options?: RequestOptions,
  ): Promise<KubeAnswer>;
  /** Lists everything in pages; rejects with a UserError when the API server refuses. */
  list(
    path: string,
    options?: RequestOptions & { readonly query?: Readonly<Record<string, string>> | undefined },
  ): Promise<KubeList>;
  /**
   * One watch connection from `resourceVersion`; calls `onEvent` in order, as soon as the bytes are
   * there. `onOpen` is called when the server has accepted the watch.
   */
  watch(
    path: string,
    from: {
      readonly resourceVersion: string;
      readonly query?: Readonly<Record<string, string>> | undefined;
    },
    handlers: WatchHandlers,
    signal: AbortSignal,
  ): Promise<WatchEnd>;
  /** Ends everything under way: requests get status 0, watches `aborted`. */
  close(): Promise<void>;
}
