import { z } from 'zod';
import type { Clock } from '../platform/clock.js';
import { appendDurably, readIfThere } from '../platform/files.js';

/** The events of a journal. @see contracts.md §7 */
export const JOURNAL_EVENTS = [
  'run-started',
  'gate',
  'phase-started',
  'phase-ended',
  'fault-injecting',
  'fault-verified',
  'fault-reverted',
  'attempt-started',
  'attempt-ended',
  'interrupted',
  'cleaned',
  'run-ended',
] as const;

/** A line of `journal.jsonl`. Fields of later releases are left alone: a crash is cleaned up by any. */
export const journalEntrySchema = z.object({
  seq: z.int().min(1),
  /** UTC, milliseconds. */
  t: z.string(),
  /** Nanoseconds of the runner's monotonic clock; a text, because they outgrow a double. */
  mono: z.string(),
  event: z.enum(JOURNAL_EVENTS),
  cluster: z.string().optional(),
  attempt: z.int().optional(),
  fault: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** One line of a journal. */
export type JournalEntry = z.infer<typeof journalEntrySchema>;

/** What is to be written down; its number and times are added. */
export type JournalEvent = Omit<JournalEntry, 'seq' | 't' | 'mono'>;

/** An append-only file that knows what was begun: each line is on the disk before its effect. */
export interface Journal {
  /** Resolves once the disk has the lines, all or none of them. Rejects with what the file system said. */
  append(...events: readonly JournalEvent[]): Promise<void>;
}

/** Opens a journal to append to it, also one whose last line was torn by a crash. */
export async function openJournal(file: string, clock: Clock): Promise<Journal> {
  const before = (await readIfThere(file)) ?? '';
  let seq = readJournalText(before).entries.at(-1)?.seq ?? 0;
  // A torn line gets its end first, so that it spoils itself only.
  let gap = before === '' || before.endsWith('\n') ? '' : '\n';
  let writing: Promise<void> = Promise.resolve();
  return {
    append: (...events) => {
      const times = { t: new Date(clock.now()).toISOString(), mono: String(clock.monoNs()) };
      const written = writing.then(async () => {
        const lines = events.map((event, index) =>
          JSON.stringify({ seq: seq + index + 1, ...times, ...event }),
        );
        await appendDurably(file, `${gap}${lines.join('\n')}`);
        gap = '';
        seq += events.length;
      });
      // One that failed must not keep the later ones from being tried, nor spoil them with its torn end.
      writing = written.catch(() => {
        gap = '\n';
      });
      return written;
    },
  };
}

/** The lines of a journal, and how many could not be read (the one that a crash tore). */
export interface JournalReading {
  readonly entries: readonly JournalEntry[];
  readonly torn: number;
}

/** Reads the text of a journal. */
export function readJournalText(text: string): JournalReading {
  const lines = text.split('\n').filter((line) => line !== '');
  const entries = lines.flatMap((line) => {
    const entry = readEntry(line);
    return entry === undefined ? [] : [entry];
  });
  return { entries, torn: lines.length - entries.length };
}

function readEntry(line: string): JournalEntry | undefined {
  try {
    return journalEntrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** What came since the run was last begun: a resumed one has ended as often, and the last time counts. */
export function ofLastRunner(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.slice(entries.findLastIndex(({ event }) => event === 'run-started') + 1);
}
