import { sleepWithin } from '../budget.js';
import type { CallBounds, Written } from '../fleet-api.js';
import { parseJson, textAt } from '../json.js';
import type { FleetClock, HttpAnswer } from '../ports.js';
import { noAnswer } from './errors.js';
import type { ArmRequest, Exchange } from './exchange.js';
import { followOperation, type OperationEnd } from './operation.js';

/** What writes need. */
export interface WriteWorld {
  readonly exchange: Exchange;
  readonly clock: FleetClock;
  /** The document at an address; undefined when nothing is there. */
  readonly readAt: (url: string, bounds: CallBounds) => Promise<unknown>;
}

/** How a resource is read, and how one sees that a write with a lost answer was done. */
export interface WrittenResource<T> {
  parse(json: unknown): T;
  asWanted(value: T): boolean;
  /** Where the resource is read. @default - where it is written */
  readonly at?: string;
}

/** Writes that end only when their work has ended. */
export interface ArmWrites {
  resource<T>(
    request: ArmRequest,
    bounds: CallBounds,
    about: WrittenResource<T>,
  ): Promise<Written<T>>;
  removal(url: string, bounds: CallBounds): Promise<Written<undefined>>;
}

/** Makes the writes of one ARM client. */
export function armWrites(world: WriteWorld): ArmWrites {
  return {
    resource: (request, bounds, about) => writeResource(world, request, bounds, about),
    removal: (url, bounds) => remove(world, url, bounds),
  };
}

async function writeResource<T>(
  world: WriteWorld,
  request: ArmRequest,
  bounds: CallBounds,
  about: WrittenResource<T>,
): Promise<Written<T>> {
  const at = about.at ?? request.url;
  const alreadyDone = async (): Promise<HttpAnswer | undefined> => {
    const found = await world.readAt(at, bounds);
    if (found === undefined || !about.asWanted(about.parse(found))) return undefined;
    return { status: 200, headers: {}, body: JSON.stringify(found) };
  };
  const first = await world.exchange({ ...request, alreadyDone }, bounds);
  if (first.meaning.kind === 'absent') return { state: 'absent' };
  if (first.meaning.kind === 'expected') {
    return { state: 'refused', kind: first.meaning.refusal, error: first.meaning.error };
  }
  const end = await followOperation(first.answer, world, bounds);
  if (end.state === 'failed') return { state: 'refused', kind: 'failed', error: end.error };
  return await finalState(first.answer, end, at, world, bounds, about);
}

/** The resource as it is when the work has ended; the first answer when there was no work to follow. */
async function finalState<T>(
  first: HttpAnswer,
  end: OperationEnd,
  at: string,
  world: WriteWorld,
  bounds: CallBounds,
  about: WrittenResource<T>,
): Promise<Written<T>> {
  const followed =
    first.headers['azure-asyncoperation'] !== undefined || first.headers['location'] !== undefined;
  const answered = parseJson(first.body);
  if (!followed && answered !== undefined && isFinal(answered)) {
    return { state: 'done', value: about.parse(answered) };
  }
  for (;;) {
    const found = await world.readAt(at, bounds);
    if (found !== undefined && isFinal(found)) {
      const state = textAt(found, 'properties', 'provisioningState') ?? '';
      if (!/^(failed|canceled)$/i.test(state)) return { state: 'done', value: about.parse(found) };
      return { state: 'refused', kind: 'failed', error: { code: state, message: end.state } };
    }
    if (found === undefined && end.state === 'unknown') return { state: 'absent' };
    if (bounds.budget.spent())
      throw noAnswer(`${at.replace(/\?.*$/, '')} is not in a final state`, '');
    await sleepWithin(bounds.budget, READ_AGAIN, { clock: world.clock, signal: bounds.signal });
  }
}

/** Between two reads of a resource that is not final yet; chosen. */
const READ_AGAIN = 2_000;

/** Without a state of its own a resource is final. */
function isFinal(json: unknown): boolean {
  const state = textAt(json, 'properties', 'provisioningState');
  return state === undefined || /^(succeeded|failed|canceled)$/i.test(state);
}

async function remove(
  world: WriteWorld,
  url: string,
  bounds: CallBounds,
): Promise<Written<undefined>> {
  const gone: HttpAnswer = { status: 204, headers: {}, body: '' };
  const alreadyDone = async (): Promise<HttpAnswer | undefined> =>
    (await world.readAt(url, bounds)) === undefined ? gone : undefined;
  const first = await world.exchange({ method: 'DELETE', url, alreadyDone }, bounds);
  if (first.meaning.kind === 'absent') return { state: 'absent' };
  if (first.meaning.kind === 'expected') {
    return { state: 'refused', kind: first.meaning.refusal, error: first.meaning.error };
  }
  const end = await followOperation(first.answer, world, bounds);
  if (end.state === 'failed') return { state: 'refused', kind: 'failed', error: end.error };
  // Whatever was answered: it is gone when a read says so.
  while ((await world.readAt(url, bounds)) !== undefined) {
    if (bounds.budget.spent()) throw noAnswer(`${url.replace(/\?.*$/, '')} is still there`, '');
    await sleepWithin(bounds.budget, READ_AGAIN, { clock: world.clock, signal: bounds.signal });
  }
  return { state: 'done', value: undefined };
}
