import { hash } from 'node:crypto';

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
  return (labels, { phase = '', source = '', target = '', item = '' }) => {
    const end = JSON.stringify([phase, source, target, item]).slice(1);
    return hash('sha256', `${start},${labels},${end}`, 'hex').slice(0, KEY_LENGTH);
  };
}

/** Labels as a JSON list of pairs, sorted by name; `[]` for none. */
export function sortedLabels(labels: RowIdentity['labels']): string {
  if (labels === undefined) return '[]';
  const names = Object.keys(labels).sort();
  return JSON.stringify(names.map((name) => [name, labels[name]]));
}
