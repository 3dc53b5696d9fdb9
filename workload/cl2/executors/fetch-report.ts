import { MIB, type Bytes, type Milliseconds } from '../../../model/quantity.js';
import type { ExecResult } from '../../kube/pod-exec.js';
import type { ContainerPlace, PodStreams } from '../../kube/pod-streams.js';
import { millisecondsBetween, type Clock } from '../../platform/clock.js';
import { waitFor, type Look } from '../../platform/wait.js';
import { POD_PLACES } from './job-settings.js';
import { unpackReport } from './unpack-report.js';

/** A report that is to be fetched from a container which runs. */
export interface FetchRequest {
  readonly streams: Pick<PodStreams, 'exec'>;
  readonly place: ContainerPlace;
  readonly folder: string;
  readonly clock: Clock;
  readonly budget: Milliseconds;
  readonly signal: AbortSignal;
}

/**
 * Packs the report where it is, fetches it in pieces and unpacks it here. A piece whose connection
 * broke is asked for again, and nothing else is: the archive lies still. Gives what went wrong, and
 * then nothing is in the folder.
 */
export async function fetchReport(given: FetchRequest): Promise<string | undefined> {
  const request = { ...given, startNs: given.clock.monoNs() };
  const packed = await patiently(request, 'packing', () => pack(request));
  if (!packed.ok) return packed.problem;
  const { size, sha256 } = packed.value;
  if (size > LARGEST) return `the report is ${size} bytes, more than ${LARGEST}`;
  const pieces: Buffer[] = [];
  let have: Bytes = 0;
  while (have < size) {
    const from = have;
    const piece = await patiently(request, `byte ${from}`, () => pieceOf(request, from));
    if (!piece.ok) return piece.problem;
    pieces.push(piece.value);
    have += piece.value.length;
  }
  const bytes = Buffer.concat(pieces);
  const unpacked = await unpackReport({ bytes, size, sha256 }, request.folder);
  return unpacked.ok ? undefined : unpacked.problem;
}

/** One that is under way: its budget is for all of it. */
interface Fetching extends FetchRequest {
  readonly startNs: bigint;
}

interface Archive {
  readonly size: Bytes;
  readonly sha256: string;
}

type Asked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Asks again while connections break, as long as the budget lasts. */
async function patiently<T>(
  { clock, budget, signal, startNs }: Fetching,
  what: string,
  ask: () => Promise<Look<T>>,
): Promise<Asked<T>> {
  const left = Math.max(0, budget - millisecondsBetween(startNs, clock.monoNs()));
  const waited = await waitFor({ clock, budget: left, period: PAUSE, signal }, ask);
  if (waited.state === 'ready') return { ok: true, value: waited.value };
  return { ok: false, problem: `${what}: ${waited.missing.join('; ')}` };
}

async function pack(request: FetchRequest): Promise<Look<Archive>> {
  const result = await run(request, PACK);
  const match = result.state === 'ended' ? PACKED.exec(result.stdout.toString('utf8')) : null;
  if (match === null) return { state: 'waiting', missing: [textOf(result)] };
  return { state: 'ready', value: { sha256: match[1] ?? '', size: Number(match[2]) } };
}

async function pieceOf(request: FetchRequest, from: Bytes): Promise<Look<Buffer>> {
  const result = await run(request, `tail -c +${from + 1} ${ARCHIVE} | head -c ${PIECE}`);
  if (result.state === 'ended' && result.code === 0 && result.stdout.length > 0) {
    return { state: 'ready', value: result.stdout };
  }
  return { state: 'waiting', missing: [textOf(result)] };
}

/** Each attempt has a bound of its own: an exec may hang where its node does. */
async function run(
  { streams, place, clock, signal }: FetchRequest,
  script: string,
): Promise<ExecResult> {
  const over = new AbortController();
  const late = clock.sleep(ONE_EXEC, AbortSignal.any([signal, over.signal])).then(
    (): ExecResult => ({ state: 'broken', text: `no end within ${ONE_EXEC} ms` }),
    (): ExecResult => ({ state: 'broken', text: 'stopped' }),
  );
  const stop = AbortSignal.any([signal, over.signal]);
  const result = await Promise.race([
    streams.exec(place, ['sh', '-c', script], PIECE + MIB, stop),
    late,
  ]);
  over.abort(new Error('the command has ended'));
  return result;
}

function textOf(result: ExecResult): string {
  if (result.state !== 'ended') return result.text;
  return `ended with ${result.code}: ${result.stderr.trim().slice(0, 300)}`;
}

const ARCHIVE = `${POD_PLACES.results}/report.tgz`;
/** A run that ended before its report has none: an empty one is packed. */
const PACK = [
  `cd ${POD_PLACES.results}`,
  `mkdir -p ${POD_PLACES.report}`,
  `tar -czf report.tgz ${POD_PLACES.report}`,
  'sha256sum report.tgz',
  'wc -c < report.tgz',
].join(' && ');
const PACKED = /^([0-9a-f]{64})\s+report\.tgz\s+(\d+)\s*$/;
/** Ours: what is lost when a connection breaks. */
const PIECE: Bytes = 4 * MIB;
const LARGEST: Bytes = 256 * MIB;
const PAUSE: Milliseconds = 1_000;
const ONE_EXEC: Milliseconds = 60_000;
