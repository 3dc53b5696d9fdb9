import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere } from '../platform/files.js';
import type { PhaseWindow } from '../results/attempt-outcome.js';
import { parseJsonLines } from '../results/json-lines.js';
import type { ReportMark } from './report-model.js';

/** What the report takes from a journal. */
export interface JournalReading {
  readonly marks: readonly ReportMark[];
  readonly phases: ReadonlyMap<string, readonly PhaseWindow[]>;
  readonly endedAt: string | undefined;
  readonly problems: readonly string[];
}

/** Reads `journal.jsonl`; a missing one is empty, a torn last line is expected after a crash. */
export async function readJournal(path: string): Promise<JournalReading> {
  const text = (await readIfThere(join(path, 'journal.jsonl'))) ?? '';
  const { values, problems } = parseJsonLines(text);
  const events = values.flatMap((value) => {
    const parsed = eventSchema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return {
    marks: events.flatMap(markOf),
    phases: phasesOf(events),
    endedAt: events.findLast((event) => event.event === 'run-ended')?.t,
    problems: problems.map((problem) => `journal.jsonl ${problem}`),
  };
}

const eventSchema = z.looseObject({
  t: z.union([z.string(), z.number().transform((ms) => new Date(ms).toISOString())]),
  event: z.string(),
  cluster: z.string().optional(),
  fault: z.unknown().optional(),
  data: z.looseObject({}).optional(),
});

type JournalEvent = z.infer<typeof eventSchema>;

function markOf({ event, t, cluster, fault, data }: JournalEvent): readonly ReportMark[] {
  if (!event.startsWith('fault-') && event !== 'interrupted') return [];
  const what = typeof fault === 'string' ? fault : (textAt(data, 'kind') ?? '');
  const text = `${event.replace('fault-', 'fault ')} ${what}`.trim();
  return [{ at: Date.parse(t), text, cluster }];
}

function phasesOf(events: readonly JournalEvent[]): JournalReading['phases'] {
  const phases = new Map<string, PhaseWindow[]>();
  for (const { event, t, cluster, data } of events) {
    const name = textAt(data, 'phase') ?? textAt(data, 'name');
    if (cluster === undefined || name === undefined) continue;
    const own = phases.get(cluster) ?? [];
    const kind = textAt(data, 'kind') ?? name;
    if (event === 'phase-started') own.push({ name, kind, start: t, end: t });
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
