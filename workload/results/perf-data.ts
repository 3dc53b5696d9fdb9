import { parseLenientJson } from './lenient-json.js';
import { isRecord } from './is-record.js';

/** One item of a measurement file, and the `result` of its row. Values that were no finite number are null. */
export type DataItem = {
  readonly data: Readonly<Record<string, number | null>>;
  readonly unit: string;
  readonly labels?: Readonly<Record<string, string>>;
};

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

/**
 * Reads PerfData (`dataItems` may be null) or any other JSON. Go's empty maps and missing fields are
 * both allowed; values of other types become null. Checked by hand: a run has tens of thousands of
 * items, and a schema library took most of the time of reading them.
 * @see data/clusterloader2.md §4.3
 */
export function readPerfFile(text: string): PerfFile {
  const json = parseLenientJson(text);
  if (!json.ok) return { kind: 'malformed', reason: json.reason };
  const { value, repaired } = json;
  if (!isRecord(value) || !('dataItems' in value)) return { kind: 'whole', value, repaired };
  const raw = value['dataItems'] ?? [];
  if (!Array.isArray(raw)) return { kind: 'malformed', reason: 'dataItems is no list' };
  const notes = [...repaired];
  const items: DataItem[] = [];
  for (const [index, one] of raw.entries()) {
    const item = dataItem(one, notes);
    if (typeof item === 'string') {
      return { kind: 'malformed', reason: `dataItems[${index}]${item}` };
    }
    items.push(item);
  }
  return { kind: 'items', items, repaired: notes };
}

/** The item, or what is wrong with it. */
function dataItem(raw: unknown, notes: string[]): DataItem | string {
  if (!isRecord(raw)) return ' is no object';
  const { data, unit, labels } = raw;
  if (!isRecordOrNothing(data)) return '.data is no object';
  if (typeof (unit ?? '') !== 'string') return '.unit is no text';
  if (!isRecordOrNothing(labels)) return '.labels is no object';
  const numbers = numbersOf(data ?? {}, notes);
  const unitText = typeof unit === 'string' ? unit : '';
  const texts = textsOf(labels ?? {});
  if (texts === undefined) return { data: numbers, unit: unitText };
  return { data: numbers, unit: unitText, labels: texts };
}

/** The object itself where it holds nothing but finite numbers, which is nearly always. */
function numbersOf(data: Json, notes: string[]): DataItem['data'] {
  if (holdsNumbers(data)) return data;
  const entries = Object.entries(data).map(
    ([name, value]) => [name, numberOrNull(name, value, notes)] as const,
  );
  return Object.fromEntries(entries);
}

function holdsNumbers(data: Json): data is Readonly<Record<string, number>> {
  for (const name in data) if (!Number.isFinite(data[name])) return false;
  return true;
}

/** Undefined for an empty map. */
function textsOf(labels: Json): DataItem['labels'] {
  if (Object.keys(labels).length === 0) return undefined;
  if (holdsTexts(labels)) return labels;
  return Object.fromEntries(Object.entries(labels).map(([name, one]) => [name, textOf(one)]));
}

function holdsTexts(labels: Json): labels is Readonly<Record<string, string>> {
  for (const name in labels) if (typeof labels[name] !== 'string') return false;
  return true;
}

type Json = Readonly<Record<string, unknown>>;

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

function isRecordOrNothing(value: unknown): value is Json | null | undefined {
  return value === null || value === undefined || isRecord(value);
}
