import type { EtcdClient, EtcdEvent } from '../../workload/kube/etcd/etcd-client.js';

/** The moments at which keys appeared below a watched prefix, on the monotonic clock. */
export interface Arrivals {
  /** Monotonic ns of the first put of `key`; undefined while it has not come. */
  at(key: string): bigint | undefined;
  /** Resolves with the moment of the last arrival when `count` different keys have come. */
  all(count: number, budgetMs: number): Promise<bigint>;
  /** Resolves when as many keys have been deleted. */
  gone(count: number, budgetMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Watches `prefix`; resolves when etcd has confirmed the watch, so nothing after that is missed. */
export async function watchArrivals(etcd: EtcdClient, prefix: string): Promise<Arrivals> {
  const seen = new Map<string, bigint>();
  const removed = new Set<string>();
  const waiter = createWaiter();
  const stop = new AbortController();
  const ended = await openWatch(etcd, prefix, stop.signal, (events) => {
    const now = process.hrtime.bigint();
    for (const event of events) {
      if (event.type === 'delete') removed.add(event.key);
      else if (!seen.has(event.entry.key)) seen.set(event.entry.key, now);
    }
    waiter.look();
  });
  return {
    at: (key) => seen.get(key),
    all: async (count, budgetMs) => {
      await waiter.until(() => seen.size, count, budgetMs);
      return [...seen.values()].reduce((a, b) => (a > b ? a : b));
    },
    gone: (count, budgetMs) => waiter.until(() => removed.size, count, budgetMs),
    stop: async () => {
      stop.abort();
      await ended.watch;
    },
  };
}

/** Resolves when the watch is open; gives the promise of its end, wrapped so as not to await it. */
function openWatch(
  etcd: EtcdClient,
  prefix: string,
  signal: AbortSignal,
  onEvents: (events: readonly EtcdEvent[]) => void,
): Promise<{ readonly watch: Promise<unknown> }> {
  return new Promise((resolve) => {
    const watch: Promise<unknown> = etcd.watchPrefix(
      prefix,
      { signal },
      {
        onOpen: () => {
          resolve({ watch });
        },
        onEvents,
      },
    );
  });
}

/** One wait at a time for a count to reach a number. */
function createWaiter() {
  let look: () => void = () => undefined;
  return {
    look: () => {
      look();
    },
    until: (seen: () => number, wanted: number, budgetMs: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`after ${budgetMs} ms: ${seen()} of ${wanted}`));
        }, budgetMs);
        look = () => {
          if (seen() < wanted) return;
          clearTimeout(timer);
          resolve();
        };
        look();
      }),
  };
}
