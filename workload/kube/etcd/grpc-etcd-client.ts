import type { Milliseconds } from '../../../model/quantity.js';
import { userErrorsOf } from '../../../model/user-error.js';
import { systemClock, type Clock } from '../../platform/clock.js';
import { waitFor } from '../../platform/wait.js';
import { etcdNotReady } from './errors.js';
import { createEtcdChannel, type EtcdChannel } from './etcd-channel.js';
import type { EtcdAccess, EtcdClient } from './etcd-client.js';
import {
  entryOf,
  prefixRange,
  type DeleteAnswer,
  type HeaderAnswer,
  type RangeAnswer,
  type StatusAnswer,
} from './etcd-messages.js';
import { followWatch } from './etcd-watch.js';
import { readPages } from './read-pages.js';

/** Settings of a client. */
export interface EtcdClientOptions {
  /** @default - the machine's own */
  readonly clock?: Clock;
}

/** A client of one etcd over one gRPC connection; connects when first used. Calls reject with UserErrors. */
export function createEtcdClient(access: EtcdAccess, options: EtcdClientOptions = {}): EtcdClient {
  const clock = options.clock ?? systemClock;
  const channel = createEtcdChannel(access, clock);
  const closing = new AbortController();
  return {
    access,
    ...readingCalls(channel),
    ...writingCalls(channel),
    watchPrefix: (prefix, { startRevision, signal }, handlers) => {
      const signals = [signal, closing.signal];
      const request = { endpoint: access.endpoint, prefix, startRevision, signals };
      return followWatch(channel.openWatch(), request, handlers);
    },
    ready: (budget) => waitUntilReady(access.endpoint, channel, clock, budget),
    close: () => {
      closing.abort();
      channel.close();
    },
  };
}

function readingCalls(
  channel: EtcdChannel,
): Pick<EtcdClient, 'readPrefix' | 'countPrefix' | 'get' | 'status'> {
  return {
    readPrefix: (prefix) => readPages(channel, prefix),
    countPrefix: async (prefix) => {
      const request = { ...prefixRange(prefix), count_only: true };
      const answer = await channel.call<RangeAnswer>('range', request);
      return { revision: answer.header.revision, count: Number(answer.count) };
    },
    get: async (key) => {
      const answer = await channel.call<RangeAnswer>('range', { key: Buffer.from(key) });
      const [found] = answer.kvs;
      return found === undefined ? undefined : entryOf(found);
    },
    status: async () => {
      const answer = await channel.call<StatusAnswer>('status', {});
      const { version, dbSize, header } = answer;
      return { version, sizeBytes: Number(dbSize), revision: header.revision };
    },
  };
}

function writingCalls(
  channel: EtcdChannel,
): Pick<EtcdClient, 'put' | 'putAll' | 'delete' | 'deletePrefix' | 'compact'> {
  const remove = async (range: object): Promise<number> =>
    Number((await channel.call<DeleteAnswer>('deleteRange', range)).deleted);
  return {
    put: async (key, value) => {
      const answer = await channel.call<HeaderAnswer>('put', putRequest(key, value));
      return answer.header.revision;
    },
    putAll: async (entries) => {
      const success = entries.map(({ key, value }) => ({ request_put: putRequest(key, value) }));
      return (await channel.call<HeaderAnswer>('txn', { success })).header.revision;
    },
    delete: (key) => remove({ key: Buffer.from(key) }),
    deletePrefix: (prefix) => remove(prefixRange(prefix)),
    compact: async (revision) => {
      await channel.call('compact', { revision });
    },
  };
}

function putRequest(key: string, value: string | Uint8Array): { key: Buffer; value: Uint8Array } {
  return { key: Buffer.from(key), value: typeof value === 'string' ? Buffer.from(value) : value };
}

/** A read through consensus: an etcd that answers it has a leader and serves. */
async function waitUntilReady(
  endpoint: string,
  channel: EtcdChannel,
  clock: Clock,
  budget: Milliseconds,
): Promise<void> {
  const result = await waitFor({ clock, budget, period: READY_PERIOD }, async () => {
    try {
      await channel.call('range', { key: Buffer.from('/') }, READY_CALL_TIMEOUT);
      return { state: 'ready', value: undefined };
    } catch (error) {
      const [known] = userErrorsOf(error);
      if (known === undefined) throw error;
      return { state: 'waiting', missing: [known.given ?? known.problem] };
    }
  });
  if (result.state === 'timed-out') {
    throw etcdNotReady(endpoint, budget / 1_000, result.missing.join('; '));
  }
}

/** Ours: a local etcd is up within a second of its start. */
const READY_PERIOD: Milliseconds = 50;
const READY_CALL_TIMEOUT: Milliseconds = 1_000;
