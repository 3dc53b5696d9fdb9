import type {
  EtcdClient,
  EtcdEntry,
  EtcdEvent,
  EtcdWatchEnd,
} from '../../../workload/kube/etcd/etcd-client.js';

/** An etcd in memory, as far as followers of keys use one. Events come in the same turn. */
export interface MemoryEtcd {
  readonly client: EtcdClient;
  put(key: string, value: unknown): void;
  remove(key: string): void;
  /** Ends every watch. */
  cut(end: EtcdWatchEnd): void;
  /** Reads fail until it is healed. */
  fail(error: Error | undefined): void;
  watchers(): number;
}

interface Watcher {
  readonly prefix: string;
  tell(event: EtcdEvent): void;
  end(end: EtcdWatchEnd): void;
}

export function createMemoryEtcd(): MemoryEtcd {
  const entries = new Map<string, EtcdEntry>();
  const watchers = new Set<Watcher>();
  let revision = 1;
  let failure: Error | undefined;
  const tell = (key: string, event: EtcdEvent): void => {
    for (const one of [...watchers]) if (key.startsWith(one.prefix)) one.tell(event);
  };
  const put = (key: string, value: unknown): string => {
    revision += 1;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const at = String(revision);
    const entry = { key, value: Buffer.from(text), createRevision: at, modRevision: at };
    entries.set(key, entry);
    tell(key, { type: 'put', entry });
    return at;
  };
  const remove = (key: string): void => {
    if (!entries.delete(key)) return;
    revision += 1;
    tell(key, { type: 'delete', key, modRevision: String(revision) });
  };
  const under = (prefix: string) => [...entries.values()].filter((e) => e.key.startsWith(prefix));
  const client = {
    readPrefix: (prefix: string) =>
      failure === undefined
        ? Promise.resolve({ revision: String(revision), entries: under(prefix) })
        : Promise.reject(failure),
    put: (key: string, value: string | Uint8Array) => Promise.resolve(put(key, String(value))),
    deletePrefix: (prefix: string) => {
      const gone = under(prefix);
      for (const { key } of gone) remove(key);
      return Promise.resolve(gone.length);
    },
    watchPrefix: (prefix, { signal }, handlers) =>
      new Promise<EtcdWatchEnd>((resolve) => {
        const watcher: Watcher = {
          prefix,
          tell: (event) => {
            handlers.onEvents([event]);
          },
          end: (end) => {
            watchers.delete(watcher);
            resolve(end);
          },
        };
        watchers.add(watcher);
        signal.addEventListener('abort', () => {
          watcher.end({ reason: 'aborted' });
        });
        handlers.onOpen?.('1');
      }),
  } as Partial<EtcdClient> as EtcdClient;
  return {
    client,
    put,
    remove,
    cut: (end) => {
      for (const one of [...watchers]) one.end(end);
    },
    fail: (error) => {
      failure = error;
    },
    watchers: () => watchers.size,
  };
}
