import { join } from 'node:path';
import { readJournalText, type JournalEntry } from '../exec/journal.js';
import { readIfThere } from '../platform/files.js';
import type { PhaseWindow } from '../../model/attempt-outcome.js';
import type { ReportMark } from './report-model.js';

/** What the report takes from a journal. */
export interface JournalMarks {
  readonly marks: readonly ReportMark[];
  readonly phases: ReadonlyMap<string, readonly PhaseWindow[]>;
  readonly endedAt: string | undefined;
  readonly problems: readonly string[];
}

/** Reads `journal.jsonl`; a missing one is empty, a torn last line is expected after a crash. */
export async function readJournal(path: string): Promise<JournalMarks> {
  const text = (await readIfThere(join(path, 'journal.jsonl'))) ?? '';
  const { entries, torn } = readJournalText(text);
  return {
    marks: entries.flatMap(markOf),
    phases: phasesOf(entries),
    endedAt: entries.findLast((entry) => entry.event === 'run-ended')?.t,
    problems: torn === 0 ? [] : [`journal.jsonl: ${torn} torn ${torn === 1 ? 'line' : 'lines'}`],
  };
}

function markOf({ event, t, cluster, fault, data }: JournalEntry): readonly ReportMark[] {
  if (!event.startsWith('fault-') && event !== 'interrupted') return [];
  const what = fault ?? textAt(data, 'kind') ?? '';
  const text = `${event.replace('fault-', 'fault ')} ${what}`.trim();
  return [{ at: Date.parse(t), text, cluster }];
}

function phasesOf(events: readonly JournalEntry[]): JournalMarks['phases'] {
  const phases = new Map<string, PhaseWindow[]>();
  for (const { event, t, cluster, data } of events) {
    const name = textAt(data, 'phase') ?? textAt(data, 'name');
    if (cluster === undefined || name === undefined) continue;
    const own = phases.get(cluster) ?? [];
    const kind = textAt(data, 'kind') ?? name;
    if (event === 'phase-started') {
      // A phase that is begun again belongs to a later attempt, and that one counts.
      const earlier = own.findIndex((phase) => phase.name === name);
      if (earlier >= 0) own.splice(earlier);
      own.push({ name, kind, start: t, end: t });
    }
    const open = own.find((phase) => phase.name === name);
    if (event === 'phase-ended' && open !== undefined) open.end = t;
    phases.set(cluster, own);
  }
  return phases;
}

function textAt(data: object | undefined, name: string): string | undefined {
  const value = new Map<string, unknown>(Object.entries(data ?? {})).get(name);
  return typeof value === 'string' ? value : undefined;
}
