import { join } from 'node:path';
import type { KnownFile } from './known-files.js';
import type { SummaryName } from './file-name.js';
import { parseJsonLines } from './json-lines.js';
import { readJunit, type JunitResult } from './junit-in.js';
import { readPerfFile, type PerfFile } from './perf-data.js';
import { parseLenientJson } from './lenient-json.js';
import { readPlainFile } from './read-plain-file.js';
import { listReportFolder, type ReportFolder } from './report-folder.js';
import type { AttemptFolder } from './run-facts.js';
import { isWorkerStatus, readWorkerStatus, type WorkerStatus } from './worker-status.js';
import { isRecord } from './is-record.js';

/** A measurement file with its content. */
export interface SummaryReading {
  readonly name: string;
  readonly summary: SummaryName;
  readonly content: Exclude<PerfFile, { kind: 'malformed' }>;
}

/** A file of a fault script or probe with its events. */
export interface EventReading {
  readonly name: string;
  readonly known: KnownFile;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

/** An attempt's report folder, read. A file that cannot be read costs only itself. */
export interface AttemptReading {
  readonly folder: AttemptFolder;
  readonly reportThere: boolean;
  readonly junit: JunitResult;
  /** What the engine's runner says, if another tool left that. */
  readonly worker?: WorkerStatus | undefined;
  readonly summaries: readonly SummaryReading[];
  readonly events: readonly EventReading[];
  /** `name: reason` of files, or lines of files, that could not be read. */
  readonly malformed: readonly string[];
  /** `name: reason` of files that nobody knows. */
  readonly unknown: readonly string[];
}

/** Reads everything in an attempt's report folder. Never throws for what a file holds. */
export function readAttempt(folder: AttemptFolder): AttemptReading {
  const junit = readJunitOf(folder.report);
  const tests = junit.state === 'read' ? junit.tests : [];
  const reading = new Gathered();
  const listing = reading.list(folder.report, tests);
  for (const file of listing.state === 'found' ? listing.files : []) {
    const path = join(folder.report, file.name);
    switch (file.kind) {
      case 'summary':
        reading.read(path, file.name, (text) => {
          reading.summary(file.name, file.summary, text);
        });
        break;
      case 'event':
        reading.read(path, file.name, (text) => {
          reading.event(file.name, file.known, text);
        });
        break;
      case 'unknown':
        reading.unknown.push(`${file.name}: ${file.reason}`);
        break;
      case 'side':
        if (isWorkerStatus(file.name)) {
          reading.read(path, file.name, (text) => {
            reading.worker = readWorkerStatus(text);
          });
        }
        break;
      case 'junit':
        break;
    }
  }
  if (junit.state === 'malformed') reading.malformed.push(`junit.xml: ${junit.reason}`);
  const { worker, summaries, events, malformed, unknown } = reading;
  const reportThere = listing.state === 'found';
  return { folder, reportThere, junit, worker, summaries, events, malformed, unknown };
}

function readJunitOf(report: string): JunitResult {
  const file = readPlainFile(join(report, 'junit.xml'));
  switch (file.state) {
    case 'read':
      return readJunit(file.text);
    case 'missing':
      return { state: 'missing' };
    case 'refused':
    case 'failed':
      return { state: 'malformed', reason: file.reason };
  }
}

class Gathered {
  worker: WorkerStatus | undefined;
  readonly summaries: SummaryReading[] = [];
  readonly events: EventReading[] = [];
  readonly malformed: string[] = [];
  readonly unknown: string[] = [];

  list(report: string, tests: readonly string[]): ReportFolder {
    try {
      return listReportFolder(report, tests);
    } catch (error) {
      this.malformed.push(`the folder itself: ${textOf(error)}`);
      return { state: 'missing' };
    }
  }

  read(path: string, name: string, use: (text: string) => void): void {
    const file = readPlainFile(path);
    switch (file.state) {
      case 'read':
        use(file.text);
        break;
      case 'refused':
        this.unknown.push(`${name}: ${file.reason}`);
        break;
      case 'missing':
        this.malformed.push(`${name}: it went away while the folder was read`);
        break;
      case 'failed':
        this.malformed.push(`${name}: ${file.reason}`);
    }
  }

  summary(name: string, summary: SummaryName, text: string): void {
    const content = readPerfFile(text);
    if (content.kind === 'malformed') this.malformed.push(`${name}: ${content.reason}`);
    else this.summaries.push({ name, summary, content: withoutNobody(summary, content) });
  }

  event(name: string, known: KnownFile, text: string): void {
    const events: Readonly<Record<string, unknown>>[] = [];
    const take = (value: unknown, place: string): void => {
      if (isRecord(value)) events.push(value);
      else this.malformed.push(`${place}: not an object`);
    };
    if (known.lines) {
      const { values, problems } = parseJsonLines(text);
      for (const value of values) take(value, name);
      for (const problem of problems) this.malformed.push(`${name}: ${problem}`);
    } else {
      const json = parseLenientJson(text);
      if (json.ok) take(json.value, name);
      else this.malformed.push(`${name}: ${json.reason}`);
    }
    this.events.push({ name, known, events });
  }
}

/**
 * ClusterLoader2 always writes startup latencies of three kinds of pods, all zeros for a kind that did
 * not occur. Nothing was measured there, and a zero would say that it was instantaneous.
 * @see data/clusterloader2.md §4.3
 */
function withoutNobody(
  { measurement }: SummaryName,
  content: SummaryReading['content'],
): SummaryReading['content'] {
  if (content.kind !== 'items' || !measurement.includes('PodStartupLatency')) return content;
  const all = content.items.flatMap(({ data }) => Object.values(data));
  return all.every((value) => value === 0) ? { ...content, items: [] } : content;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
