import type { CallBounds } from '../fleet-api.js';
import { listAt, parseJson, textAt } from '../json.js';
import type { Exchange } from './exchange.js';

/**
 * All items of a list. `nextLink` is followed byte for byte: it keeps filter and version. Lists are
 * sorted by their last write, so items move between pages while these are read: items are
 * collected by id, and a list of several pages is read until two readings agree.
 */
export async function readAll(
  url: string,
  exchange: Exchange,
  bounds: CallBounds,
): Promise<readonly unknown[]> {
  let before = await readOnce(url, exchange, bounds);
  if (before.pages === 1) return [...before.items.values()];
  for (let reads = 1; reads < MOST_READS; reads += 1) {
    const again = await readOnce(url, exchange, bounds);
    if (sameKeys(before.items, again.items)) return [...again.items.values()];
    before = again;
  }
  return [...before.items.values()];
}

/** More often than that a list is not read for two readings to agree; chosen. */
const MOST_READS = 4;

interface Reading {
  readonly pages: number;
  readonly items: ReadonlyMap<string, unknown>;
}

async function readOnce(url: string, exchange: Exchange, bounds: CallBounds): Promise<Reading> {
  const items = new Map<string, unknown>();
  let pages = 0;
  for (let next: string | undefined = url; next !== undefined; pages += 1) {
    const { answer, meaning } = await exchange({ method: 'GET', url: next }, bounds);
    if (meaning.kind !== 'good') break; // 404: the fleet, or the profile of the filter, is gone
    const page = parseJson(answer.body);
    for (const item of listAt(page, 'value')) {
      items.set((textAt(item, 'id') ?? '').toLowerCase(), item);
    }
    next = textAt(page, 'nextLink');
  }
  return { pages, items };
}

function sameKeys(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((key) => other.has(key));
}
