import { createHash } from 'node:crypto';

/** What makes two rows speak of the same value. */
export interface RowIdentity {
  readonly runId: string;
  readonly testType: string;
  readonly cluster: string;
  readonly group: string;
  readonly measurement: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
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
  const labels = Object.entries(identity.labels ?? {})
    .map(([name, value]) => [name, value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [
    identity.runId,
    identity.testType,
    identity.cluster,
    identity.group,
    identity.measurement,
    labels,
    identity.phase ?? '',
    identity.source ?? '',
    identity.target ?? '',
    identity.item ?? '',
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, KEY_LENGTH);
}
