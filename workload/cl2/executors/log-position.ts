/** Where we are in a log whose lines begin with their time, so that it can be read on after a break. */
export interface LogPosition {
  /** The text of a line without its time; undefined for one that was taken before the break. */
  take(line: string): string | undefined;
  /** From which second on to ask for it again; undefined before the first line. */
  since(): string | undefined;
  /** The log is opened again: what it repeats will be left out. */
  reopened(): void;
}

/**
 * A log can be asked for from a whole second on only (`sinceTime`), so that lines of that second come
 * again. They are known by their time, which has nanoseconds, and by how many of that time were
 * taken. So a line is given exactly once, also when a rotation took away what lay before it.
 */
export function createLogPosition(): LogPosition {
  const taken = new Map<string, number>();
  let skip = new Map<string, number>();
  let last: string | undefined;
  return {
    take: (line) => {
      const match = STAMPED.exec(line);
      // What the log's keeper itself says has no time: that a log cannot be opened, for one.
      if (match === null) return line;
      const [, second = '', fraction = '', zone = '', text = ''] = match;
      const stamp = `${second}${fraction}${zone}`;
      const before = skip.get(stamp) ?? 0;
      if (before > 0) {
        skip.set(stamp, before - 1);
        return undefined;
      }
      last = `${second}${zone}`;
      remember(taken, stamp);
      return text;
    },
    since: () => last,
    reopened: () => {
      skip = new Map(taken);
    },
  };
}

function remember(taken: Map<string, number>, stamp: string): void {
  taken.set(stamp, (taken.get(stamp) ?? 0) + 1);
  if (taken.size <= REMEMBERED) return;
  const [oldest] = taken.keys();
  if (oldest !== undefined) taken.delete(oldest);
}

const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)(?: (.*))?$/s;
/** Ours: more lines than ClusterLoader2 writes in a second, whatever it does. */
const REMEMBERED = 20_000;
