import { createReadStream } from 'node:fs';
import type { Milliseconds } from '../../model/quantity.js';
import { errorCode } from '../../workload/platform/files.js';
import type { ShortCommand, ShortResult } from '../../workload/platform/processes.js';
import type { EngineContext } from './engine-context.js';
import type { EngineRecipe, VersionProbe } from './recipe.js';

/** What a binary says of itself. */
export type ProbeResult =
  | { readonly state: 'version'; readonly version: string }
  | { readonly state: 'not-running'; readonly why: string };

/** Chosen: many times what the slowest engine needs on a busy machine. */
const PROBE_BUDGET_MS = 30_000;

/** Runs `path` for its version. Never throws for a binary that is missing, broken or hangs. */
export async function probeVersion(
  recipe: EngineRecipe,
  path: string,
  context: EngineContext,
): Promise<ProbeResult> {
  const { probe } = recipe;
  const output = await outputOf(path, probe.args, context);
  if (output.state === 'failed') return { state: 'not-running', why: output.why };
  const version =
    'pattern' in probe ? firstGroup(probe.pattern, output.text) : await versionInFile(path, probe);
  if (version !== undefined) return { state: 'version', version };
  return { state: 'not-running', why: `it told no version to \`${probe.args.join(' ')}\`` };
}

type Output =
  | { readonly state: 'text'; readonly text: string }
  | { readonly state: 'failed'; readonly why: string };

async function outputOf(
  path: string,
  args: readonly string[],
  context: EngineContext,
): Promise<Output> {
  const { clock, env, signal } = context;
  const ended = new AbortController();
  const late = new AbortController();
  void clock.sleep(PROBE_BUDGET_MS, ended.signal).then(
    () => {
      late.abort();
    },
    () => undefined,
  );
  const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  try {
    const result = await runWhenWritten({ command: path, args, env, signal: either }, context);
    if (result.state === 'not-found') return failed('it is missing or not executable here');
    if (result.state === 'killed') return failed(`it was ended by ${result.signal}`);
    if (result.exitCode !== 0) {
      return failed(`it ended with ${result.exitCode}: ${lastLine(result.stderr)}`);
    }
    return { state: 'text', text: `${result.stdout}\n${result.stderr}` };
  } catch (error) {
    signal?.throwIfAborted();
    if (late.signal.aborted) return failed(`it gave no answer in ${PROBE_BUDGET_MS / 1_000} s`);
    return failed(error instanceof Error ? error.message : String(error));
  } finally {
    ended.abort();
  }
}

/** Chosen: a child that inherited a file while it was written lets go of it within milliseconds. */
const BUSY_TRIES = 20;
const BUSY_PAUSE: Milliseconds = 100;

/**
 * A program that was just written may still be open for writing in a child that was started at the
 * same moment; the system refuses to run it until that one has become another program.
 */
async function runWhenWritten(
  command: ShortCommand,
  context: Pick<EngineContext, 'processes' | 'clock'>,
): Promise<ShortResult> {
  for (let left = BUSY_TRIES; ; left -= 1) {
    try {
      return await context.processes.run(command);
    } catch (error) {
      if (errorCode(error) !== 'ETXTBSY' || left === 0) throw error;
      await context.clock.sleep(BUSY_PAUSE, command.signal);
    }
  }
}

function failed(why: string): Output {
  return { state: 'failed', why };
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

function firstGroup(pattern: RegExp, text: string): string | undefined {
  // Of alternatives only one group is filled.
  const groups: readonly (string | undefined)[] = pattern.exec(text)?.slice(1) ?? [];
  return groups.find((group) => group !== undefined);
}

/** Pieces overlap by more than the longest match, so that none is cut in two. */
const OVERLAP_BYTES = 512;

async function versionInFile(
  path: string,
  probe: Extract<VersionProbe, { inBinary: RegExp }>,
): Promise<string | undefined> {
  let tail = '';
  for await (const piece of createReadStream(path, {
    encoding: 'latin1',
    highWaterMark: 1 << 20,
  })) {
    const text = tail + String(piece);
    const version = firstGroup(probe.inBinary, text);
    if (version !== undefined) return version;
    tail = text.slice(-OVERLAP_BYTES);
  }
  return undefined;
}
