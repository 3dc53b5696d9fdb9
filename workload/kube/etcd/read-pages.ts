import { userErrorsOf } from '../../../model/user-error.js';
import { entryOf, keyAfter, prefixRange, type RangeAnswer } from './etcd-messages.js';
import type { EtcdChannel } from './etcd-channel.js';
import type { EtcdEntry } from './etcd-client.js';
import { isCompacted } from './errors.js';

/** Ours: at the 50 KB that a service with hundreds of backends has, a page is some 25 MB. */
const PAGE_SIZE = 500;

/** Ours: each time costs a compaction within the read, and etcd compacts every few minutes. */
const ATTEMPTS = 3;

/** Reads all entries under a prefix at one revision; starts over when that is compacted meanwhile. */
export async function readPages(
  channel: Pick<EtcdChannel, 'call'>,
  prefix: string,
): Promise<{ readonly revision: string; readonly entries: readonly EtcdEntry[] }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(channel, prefix);
    } catch (error) {
      if (attempt === ATTEMPTS || !userErrorsOf(error).some(isCompacted)) throw error;
    }
  }
}

async function readOnce(
  channel: Pick<EtcdChannel, 'call'>,
  prefix: string,
): Promise<{ revision: string; entries: EtcdEntry[] }> {
  const entries: EtcdEntry[] = [];
  const range = prefixRange(prefix);
  let { key } = range;
  let revision = '0';
  for (;;) {
    const request = { key, range_end: range.range_end, limit: PAGE_SIZE, revision };
    const page = await channel.call<RangeAnswer>('range', request);
    // The first page decides the revision of all: a later one must not see later writes.
    if (revision === '0') revision = page.header.revision;
    for (const kv of page.kvs) entries.push(entryOf(kv));
    const last = page.kvs.at(-1);
    if (!page.more || last === undefined) return { revision, entries };
    key = keyAfter(last.key);
  }
}
