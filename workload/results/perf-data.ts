import { z } from 'zod';
import { parseLenientJson } from './lenient-json.js';

/** One item of a measurement file. Values that were no finite number are null. */
export interface DataItem {
  readonly data: Readonly<Record<string, number | null>>;
  readonly unit: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What a measurement file holds. */
export type PerfFile =
  | {
      readonly kind: 'items';
      readonly items: readonly DataItem[];
      /** Places of NaN, Infinity and other values that became null. */
      readonly repaired: readonly string[];
    }
  /** No PerfData: the file as it stands is the result. */
  | { readonly kind: 'whole'; readonly value: unknown; readonly repaired: readonly string[] }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Reads PerfData (`dataItems` may be null) or any other JSON. @see data/clusterloader2.md §4.3 */
export function readPerfFile(text: string): PerfFile {
  const json = parseLenientJson(text);
  if (!json.ok) return { kind: 'malformed', reason: json.reason };
  const { value, repaired } = json;
  if (typeof value !== 'object' || value === null || !('dataItems' in value)) {
    return { kind: 'whole', value, repaired };
  }
  const items = itemsSchema.safeParse(value.dataItems);
  if (!items.success) return { kind: 'malformed', reason: z.prettifyError(items.error) };
  const notes = [...repaired];
  return {
    kind: 'items',
    items: (items.data ?? []).map((item) => dataItem(item, notes)),
    repaired: notes,
  };
}

/** Go's empty maps and missing fields are both allowed; values of other types become null. */
const itemsSchema = z
  .array(
    z.looseObject({
      data: z.record(z.string(), z.unknown()).nullish(),
      unit: z.string().nullish(),
      labels: z.record(z.string(), z.unknown()).nullish(),
    }),
  )
  .nullable();

type RawItem = NonNullable<z.infer<typeof itemsSchema>>[number];

function dataItem(raw: RawItem, notes: string[]): DataItem {
  const data = Object.entries(raw.data ?? {}).map(
    ([name, value]) => [name, numberOrNull(name, value, notes)] as const,
  );
  const item = { data: Object.fromEntries(data), unit: raw.unit ?? '' };
  const labels = Object.entries(raw.labels ?? {}).map(
    ([name, value]) => [name, textOf(value)] as const,
  );
  return labels.length === 0 ? item : { ...item, labels: Object.fromEntries(labels) };
}

function numberOrNull(name: string, value: unknown, notes: string[]): number | null {
  if (typeof value === 'number') return value;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (Number.isFinite(number)) return number;
  if (value !== null) notes.push(`${name}: ${textOf(value)}`);
  return null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
