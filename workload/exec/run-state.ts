import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { RUN_ID } from '../../model/run-plan.js';
import { errorCode, readIfThere } from '../platform/files.js';
import type { Processes } from '../platform/processes.js';
import { ofLastRunner, readJournalText, type JournalEntry } from './journal.js';
import { runPaths } from './run-paths.js';

/** Where a run stands. */
export interface RunState {
  readonly run: string;
  readonly folder: string;
  /** `broken-off`: its runner is gone and did not come to its end. */
  readonly state: 'running' | 'ended' | 'interrupted' | 'broken-off' | 'not-begun';
  /** The last phase that each cluster began, and whether it is over. */
  readonly clusters: readonly { readonly cluster: string; readonly at: string }[];
  /** Undefined until there is one. */
  readonly verdict?: string | undefined;
  /** False when objects may still stand on the clusters. */
  readonly cleaned: boolean;
  readonly startedAt?: string | undefined;
}

/** Reads the state of one run folder; everything in it may be missing or torn. */
export async function readRunState(folder: string, processes: Processes): Promise<RunState> {
  const paths = runPaths(folder);
  const { entries } = readJournalText((await readIfThere(paths.journal)) ?? '');
  const held = await isHeld(paths.lock, processes);
  const last = ofLastRunner(entries);
  const has = (event: JournalEntry['event']): boolean => last.some((one) => one.event === event);
  const state = held
    ? 'running'
    : entries.length === 0
      ? 'not-begun'
      : !has('run-ended')
        ? 'broken-off'
        : has('interrupted')
          ? 'interrupted'
          : 'ended';
  return {
    run: folder.split('/').at(-1) ?? folder,
    folder,
    state,
    clusters: clustersOf(entries),
    verdict: await verdictOf(join(folder, 'verdict.json')),
    cleaned: isClean(entries),
    startedAt: entries[0]?.t,
  };
}

/** Run folders in `out`, newest first. */
export async function listRuns(out: string): Promise<readonly string[]> {
  try {
    const names = await readdir(out);
    return names
      .filter((name) => RUN_ID.test(name))
      .sort()
      .reverse();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function clustersOf(entries: readonly JournalEntry[]): RunState['clusters'] {
  const at = new Map<string, string>();
  for (const { event, cluster, data } of entries) {
    if (cluster === undefined) continue;
    const phase = textAt(data, 'phase') ?? '';
    if (event === 'phase-started') at.set(cluster, phase);
    if (event === 'phase-ended') at.set(cluster, `${phase} (over)`);
    if (event === 'attempt-ended') at.set(cluster, textAt(data, 'state') ?? 'ended');
  }
  return [...at].map(([cluster, where]) => ({ cluster, at: where })).sort(byCluster);
}

/** Every cluster on which something was made has been cleaned since, as far as its last line says. */
function isClean(entries: readonly JournalEntry[]): boolean {
  const last = new Map<string, boolean>();
  for (const { event, cluster, data } of entries) {
    if (cluster === undefined) continue;
    if (event === 'phase-started') last.set(cluster, false);
    if (event === 'cleaned') last.set(cluster, data?.['state'] === 'clean');
  }
  return last.size > 0 && [...last.values()].every((clean) => clean);
}

function textAt(data: JournalEntry['data'], name: string): string | undefined {
  const value = data?.[name];
  return typeof value === 'string' ? value : undefined;
}

function byCluster(one: { cluster: string }, other: { cluster: string }): number {
  return one.cluster.localeCompare(other.cluster);
}

async function isHeld(lock: string, processes: Processes): Promise<boolean> {
  const holder = readJson(await readIfThere(lock), holderSchema);
  return holder !== undefined && processes.state(holder) !== 'gone';
}

async function verdictOf(file: string): Promise<string | undefined> {
  return readJson(await readIfThere(file), verdictSchema)?.judgement.verdict;
}

function readJson<T>(text: string | undefined, schema: z.ZodType<T>): T | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const holderSchema = z.object({ pid: z.number(), startTime: z.string() });
const verdictSchema = z.object({ judgement: z.object({ verdict: z.string() }) });
