import type { CallBounds } from '../fleet-api.js';
import { listAt, parseJson, textAt } from '../json.js';
import type { Exchange } from './exchange.js';

/**
 * All items of a list. `nextLink` is followed byte for byte: it keeps filter and version. Lists are
 * sorted by their last write, so items move between pages while these are read, and one can be missed:
 * a list of several pages is read until a reading shows just what all readings together have shown.
 * One that never does gives everything that was seen: too many is the safe side, since a member that
 * is still attached must not be missed.
 */
export async function readAll(
  url: string,
  exchange: Exchange,
  bounds: CallBounds,
): Promise<readonly unknown[]> {
  const first = await readOnce(url, exchange, bounds);
  const seen = new Map(first.items);
  for (let reads = 1; first.pages > 1 && reads < MOST_READS; reads += 1) {
    const { items } = await readOnce(url, exchange, bounds);
    const before = seen.size;
    for (const [id, item] of items) seen.set(id, item);
    if (seen.size === before && items.size === seen.size) break;
  }
  return [...seen.values()];
}

/** More often than that a list is not read for its readings to agree; chosen. */
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
