import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Milliseconds } from '../../model/quantity.js';
import type { HttpAnswer } from '../../workload/platform/http.js';
import type { EngineContext } from './engine-context.js';
import { downloadFailed } from './errors.js';
import type { EngineRecipe } from './recipe.js';

/** Fetches a small text. Throws `engine/download-failed`. */
export async function fetchText(
  recipe: EngineRecipe,
  url: string,
  context: EngineContext,
): Promise<string> {
  return tryAgain(recipe, url, context, (answer) => textOf(answer.body));
}

/** Fetches a file to disk and gives the SHA-256 of what came. Throws `engine/download-failed`. */
export async function fetchFile(
  recipe: EngineRecipe,
  url: string,
  file: string,
  context: EngineContext,
): Promise<string> {
  return tryAgain(recipe, url, context, async (answer) => {
    const hash = createHash('sha256');
    answer.body.on('data', (piece: Buffer) => hash.update(piece));
    await pipeline(answer.body, createWriteStream(file));
    return hash.digest('hex');
  });
}

/** Pauses before another try; chosen: long enough for a server's hiccup, short for a person. */
const PAUSES: readonly Milliseconds[] = [500, 2_000];

/** Tries again what may pass: no answer, a broken one, a server's own failure. */
async function tryAgain<T>(
  recipe: EngineRecipe,
  url: string,
  context: EngineContext,
  read: (answer: HttpAnswer) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await tryOnce(url, context, read);
    if (outcome.state === 'read') return outcome.value;
    const pause = PAUSES[attempt];
    if (outcome.state === 'refused' || pause === undefined) {
      throw downloadFailed(recipe, url, outcome.why);
    }
    await context.clock.sleep(pause, context.signal);
  }
}

type Outcome<T> =
  | { readonly state: 'read'; readonly value: T }
  | { readonly state: 'refused' | 'broken'; readonly why: string };

async function tryOnce<T>(
  url: string,
  context: EngineContext,
  read: (answer: HttpAnswer) => Promise<T>,
): Promise<Outcome<T>> {
  try {
    const answer = await context.http(url, context.signal);
    if (answer.status === 200) return { state: 'read', value: await read(answer) };
    answer.body.on('error', () => undefined).destroy();
    const state = answer.status >= 500 || answer.status === 429 ? 'broken' : 'refused';
    return { state, why: `the server answered ${answer.status}` };
  } catch (error) {
    context.signal?.throwIfAborted();
    return { state: 'broken', why: error instanceof Error ? error.message : String(error) };
  }
}
