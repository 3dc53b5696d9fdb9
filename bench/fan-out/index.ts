/*
 * A hundred stand-in clusters, each loaded by a stand-in of ClusterLoader2, of which some die, hang or
 * leave half a report: whether each gets the right outcome, how far the wall time is from the ideal
 * schedule of the attempts, what the runner takes, and whether a run that is killed in the middle and
 * resumed has the rows of one that is not.
 * Run: npx tsx bench/fan-out/index.ts [clusters, 100] [at once, 20]
 */
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { RunningCli } from '../../__tests__/helpers/cli.js';
import { comparableRows } from '../../__tests__/helpers/comparable-rows.js';
import {
  endingOf,
  startStandInMesh,
  type StandInMesh,
} from '../../__tests__/helpers/stand-in-mesh.js';
import { readJournalText } from '../../workload/exec/journal.js';
import { millisecondsBetween, systemClock as clock } from '../../workload/platform/clock.js';
import { cpuSecondsOf, memoryMibOf } from '../process-cost.js';
import { endingsFor, expectedOf } from './endings.js';
import { idealWall, spansOf } from './ideal-schedule.js';

const [clusters = 100, atOnce = 20] = process.argv.slice(2).map(Number);
const FLAGS = [
  ...['--parallel', String(atOnce), '--set', 'operationTimeout=10s', '--set', 'holdDuration=5s'],
  ...['--set', 'apiServerCallsPerSecond=2'],
];

const mesh = await startStandInMesh(clusters);
try {
  const endings = endingsFor(mesh.roles);
  await mesh.script(endings);
  const whole = await measured('unbroken', mesh.run(FLAGS));
  const first = await mesh.folder();
  await tellOutcomes(first, endings);
  await tellSchedule(first);
  await kill(mesh, whole / 2);
  const broken = await mesh.folder();
  await measured('resumed', mesh.resume(broken));
  await tellOutcomes(broken, endings);
  const [one, other] = [await comparableRows(first), await comparableRows(broken)];
  const same = JSON.stringify(one) === JSON.stringify(other);
  tell(
    `rows of the resumed run: ${other.length}, ${same ? 'the same as' : 'NOT those of'} the ${one.length} of the unbroken one`,
  );
} finally {
  await mesh.remove();
}

/** Runs it to its end and tells what the runner took; gives its wall time in milliseconds. */
async function measured(name: string, running: RunningCli): Promise<number> {
  const { child, ended } = running;
  const start = clock.monoNs();
  const pid = child.pid ?? 0;
  const took = { cpu: 0, peak: 0 };
  const over = new AbortController();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      took.cpu = cpuSecondsOf(pid);
      const peak = memoryMibOf(pid, 'VmHWM');
      // One that is gone and not yet waited for has no memory any more.
      if (!Number.isNaN(peak)) took.peak = peak;
      await clock.sleep(200, over.signal).catch(() => undefined);
    }
  })().catch(() => undefined);
  const { code } = await ended;
  over.abort();
  await sampling;
  const wall = millisecondsBetween(start, clock.monoNs());
  const facts = [
    `${(wall / 1_000).toFixed(1)} s`,
    `runner ${took.peak.toFixed(0)} MiB at most`,
    `${took.cpu.toFixed(1)} CPU-s`,
    `exit ${code ?? 'by a signal'}`,
    `load average ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  ];
  tell(`${name}, ${clusters} clusters, ${atOnce} at once: ${facts.join(', ')}`);
  if (code === 1 || code === 2) tell(running.text());
  return wall;
}

async function kill(on: StandInMesh, after: number): Promise<void> {
  const before = await on.folder();
  const { child, ended } = on.run(FLAGS);
  await Promise.race([clock.sleep(after), ended]);
  child.kill('SIGKILL');
  const { stderr } = await ended;
  if ((await on.folder()) === before) throw new Error(`it did not come to a run folder: ${stderr}`);
  const text = await readFile(join(await on.folder(), 'journal.jsonl'), 'utf8');
  const through = readJournalText(text).entries.filter(({ event }) => event === 'attempt-ended');
  tell(`killed after ${(after / 1_000).toFixed(1)} s: ${through.length} attempts had ended`);
}

async function tellOutcomes(folder: string, endings: ReturnType<typeof endingsFor>): Promise<void> {
  const wrong: string[] = [];
  for (const role of mesh.roles) {
    const found = await endingOf(folder, role);
    const expected = expectedOf(endings[role]);
    if (found !== expected) wrong.push(`${role}: ${found}, not ${expected}`);
  }
  const right = mesh.roles.length - wrong.length;
  tell([`outcomes: ${right} of ${mesh.roles.length} right`, ...wrong].join('\n  '));
}

async function tellSchedule(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'journal.jsonl'), 'utf8');
  const { entries } = readJournalText(text);
  const spans = spansOf(entries);
  const wall =
    Math.max(...spans.map(({ end }) => end)) - Math.min(...spans.map(({ start }) => start));
  const ideal = idealWall(spans, atOnce);
  tell(
    `attempts took ${(wall / 1_000).toFixed(1)} s, ideal schedule ${(ideal / 1_000).toFixed(1)} s: ${((wall / ideal - 1) * 100).toFixed(1)} % above`,
  );
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
