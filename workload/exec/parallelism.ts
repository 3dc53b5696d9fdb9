import { bytesText, type Bytes, type PerSecond } from '../../model/quantity.js';
import { badParallel, fewerThanMeet, moreThanFit } from './errors.js';

/** What one cluster that is being loaded takes of the machine that the runner is on. */
export interface RunnerCost {
  readonly memory: Bytes;
  /** Files and connections that the runner itself has open for it. */
  readonly openFiles: number;
  /** Share of one core for each object written in a second; 0 where others write. */
  readonly coresPerWrite: number;
}

/** The machine, as far as it bounds how many clusters it can drive. */
export interface RunnerMachine {
  readonly cores: number;
  readonly availableMemory: Bytes;
  /** @default - the system does not say */
  readonly openFiles?: number | undefined;
}

/** How many clusters are to be driven by what. */
export interface ParallelRequest {
  readonly clusters: number;
  /** Whether they have to be under load at the same time. */
  readonly together: boolean;
  /** `--parallel`. @default - as many as the machine bears */
  readonly asked?: string | undefined;
  readonly cost: RunnerCost;
  readonly machine: RunnerMachine;
  /** The fastest pace of objects in any phase, in one cluster. @default - none is paced */
  readonly writes?: PerSecond | undefined;
}

/** How many clusters run at once, and why not more. */
export interface Parallelism {
  readonly limit: number;
  readonly reason: string;
}

/**
 * Derives how many clusters may run at once. Clusters that observe each other run all at once or not
 * at all: fewer would wait at their first barrier for those that never begin. Throws
 * run/bad-parallel, run/parallel-too-few, run/too-many-clusters.
 */
export function deriveParallelism(request: ParallelRequest): Parallelism {
  const { clusters, together } = request;
  const asked = askedOf(request.asked);
  const bounds = boundsOf(request);
  const [tightest] = [...bounds].sort((one, other) => one.clusters - other.clusters);
  const texts = bounds.map(({ text }) => text).join('; ');
  if (together) {
    if (asked !== undefined && asked < clusters) throw fewerThanMeet(asked, clusters);
    const hard = bounds.find((bound) => bound.hard && bound.clusters < clusters);
    if (asked === undefined && hard !== undefined) throw moreThanFit(clusters, hard.text);
    const reason = `all of them, because they observe each other (${texts})`;
    return { limit: clusters, reason };
  }
  if (asked !== undefined) {
    const limit = Math.min(asked, clusters);
    return { limit, reason: `--parallel ${asked} (${texts})` };
  }
  const limit = Math.max(1, Math.min(clusters, tightest?.clusters ?? clusters));
  return { limit, reason: limit < clusters ? `as many as ${tightest?.text ?? ''}` : texts };
}

interface Bound {
  readonly clusters: number;
  readonly text: string;
  /** Going beyond it does not slow the run down but ends it. */
  readonly hard: boolean;
}

function askedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const asked = /^\d+$/.test(text) ? Number(text) : 0;
  if (asked < 1) throw badParallel(text);
  return asked;
}

function boundsOf({ cost, machine, writes }: ParallelRequest): readonly Bound[] {
  const { availableMemory, cores, openFiles } = machine;
  const memory = Math.floor((availableMemory * MEMORY_SHARE) / cost.memory);
  const bounds: Bound[] = [
    {
      clusters: memory,
      hard: true,
      text: `memory bears ${memory}: ${bytesText(cost.memory)} each, of ${bytesText(availableMemory)} that are free`,
    },
  ];
  if (openFiles !== undefined) {
    const files = Math.floor((openFiles - OWN_FILES) / cost.openFiles);
    const text = `open files bear ${files}: ${cost.openFiles} each, of ${openFiles}`;
    bounds.push({ clusters: Math.max(0, files), hard: true, text });
  }
  const cpu = coresOf(cost, writes);
  if (cpu > 0) {
    const most = Math.floor((cores * CPU_SHARE) / cpu);
    const text = `CPU bears ${most}: ${cpu.toFixed(2)} cores each at ${writes ?? 0} objects/s, of ${cores}`;
    bounds.push({ clusters: most, hard: false, text });
  }
  return bounds;
}

function coresOf({ coresPerWrite }: RunnerCost, writes: PerSecond | undefined): number {
  return coresPerWrite * (writes ?? 0);
}

/** Ours: the rest is for peaks, for what else runs here, and for the kernel's cache of report files. */
const MEMORY_SHARE = 0.7;
/** Ours: a runner that is busy throughout measures itself. */
const CPU_SHARE = 0.7;
/** Ours: streams, journal, modules, and what comes and goes. */
const OWN_FILES = 200;
