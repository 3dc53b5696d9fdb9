import { hash } from 'node:crypto';
import { quoted } from './quoted.js';

/** What makes two rows speak of the same value. */
export interface RowIdentity extends ValueIdentity {
  readonly runId: string;
  readonly testType: string;
  readonly cluster: string;
  readonly group: string;
  readonly measurement: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** What tells the values of one measurement apart, besides their labels. */
export interface ValueIdentity {
  readonly phase?: string | undefined;
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  /** Operation index, rung, probe id: whatever counts the events of one measurement. */
  readonly item?: string | undefined;
}

/** 80 bits: no collision to be expected below 10⁹ rows. Our choice. */
const KEY_LENGTH = 20;

/**
 * The `key` of a row. Attempt and time stamp are not part of it: of two rows with one key the newest
 * (attempt, stamp) stays. The order of the labels does not matter.
 */
export function rowKey(identity: RowIdentity): string {
  return rowKeys(identity)(sortedLabels(identity.labels), identity);
}

/**
 * The keys of many rows of one measurement of a cluster, for which most of what is hashed is written
 * once. Labels are given as {@link sortedLabels} makes them.
 */
export function rowKeys(
  shared: Omit<RowIdentity, keyof ValueIdentity | 'labels'>,
): (labels: string, value: ValueIdentity) => string {
  const { runId, testType, cluster, group, measurement } = shared;
  const start = JSON.stringify([runId, testType, cluster, group, measurement]).slice(0, -1);
  return (labels, value) =>
    hash('sha256', `${start},${labels},${endOf(value)}`, 'hex').slice(0, KEY_LENGTH);
}

function endOf({ phase, source, target, item }: ValueIdentity): string {
  if (phase === undefined && source === undefined && target === undefined && item === undefined) {
    return NOTHING_MORE;
  }
  return JSON.stringify([phase ?? '', source ?? '', target ?? '', item ?? '']).slice(1);
}

const NOTHING_MORE = '"","","",""]';

/** Labels as a JSON list of pairs, sorted by name, without those of some names; `[]` for none. */
export function sortedLabels(labels: RowIdentity['labels'], without?: ReadonlySet<string>): string {
  if (labels === undefined) return '[]';
  let [text, last] = ['', ''];
  for (const name in labels) {
    // Programs that write Go maps as JSON sort them; anybody else's are sorted here.
    if (name < last) return sortedAnew(labels, without);
    last = name;
    if (without?.has(name) === true) continue;
    text += `${text === '' ? '' : ','}[${quoted(name)},${quoted(labels[name] ?? '')}]`;
  }
  return `[${text}]`;
}

function sortedAnew(
  labels: NonNullable<RowIdentity['labels']>,
  without?: ReadonlySet<string>,
): string {
  return sortedLabels(
    Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))),
    without,
  );
}
