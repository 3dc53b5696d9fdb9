import type { Milliseconds } from '../../model/quantity.js';
import { startBudget, type Budget } from '../budget.js';
import type { CallBounds, ServiceError } from '../fleet-api.js';
import type { Chance, FleetClock, HttpAnswer, HttpRequest, SendHttp } from '../ports.js';
import type { Tokens } from '../tokens/tokens.js';
import { UserError } from '../../model/user-error.js';
import { foreignAddress, noAnswer, refused } from './errors.js';
import { retryAfter } from './retry-after.js';
import { classify, type AnswerClass } from './service-error.js';

/** What an exchange needs of the world. */
export interface ArmWorld {
  readonly send: SendHttp;
  /** Where ARM is: `https://management.azure.com`. */
  readonly origin: string;
  readonly tokens: Tokens;
  readonly clock: FleetClock;
  readonly chance: Chance;
  /**
   * How long from now on a lack of rights may be that of a role which was given a moment ago, and is
   * asked again. @default 0
   */
  readonly rightsGrace?: Milliseconds | undefined;
}

/** A request without what every request carries. */
export interface ArmRequest {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * For writes: reads whether the write has been done, since a lost answer says nothing. An answer
   * given here ends the exchange. @default - the request is simply repeated
   */
  readonly alreadyDone?: () => Promise<HttpAnswer | undefined>;
}

/** An answer with which the caller can do something. */
export interface ArmAnswer {
  readonly answer: HttpAnswer;
  readonly meaning: Extract<AnswerClass, { kind: 'good' | 'absent' | 'expected' }>;
}

/** Sends requests through throttling, faults and expired tokens. */
export type Exchange = (request: ArmRequest, bounds: CallBounds) => Promise<ArmAnswer>;

/**
 * Makes the one way to ARM. After a 429 nobody sends before `Retry-After` has ended: a request sent
 * earlier is refused again and counts. Faults are repeated with growing pauses until the budget of
 * the call ends; then `azure/no-answer`.
 */
export function createExchange(world: ArmWorld): Exchange {
  const gate = createGate(world.clock);
  const grace = startBudget(world.clock, world.rightsGrace ?? 0);
  return async (request, bounds) => {
    const what = `${request.method} ${request.url.replace(/\?.*$/, '')}`;
    refuseForeign(request.url, world.origin);
    let renewed = false;
    for (let faults = 0; ;) {
      await gate.pass(bounds);
      const got = await attempt(request, world, bounds);
      const meaning = request.method === 'GET' ? meaningOfRead(got.meaning) : got.meaning;
      switch (meaning.kind) {
        case 'good':
        case 'absent':
        case 'expected':
          return { answer: got.answer, meaning };
        case 'refused':
          if (!mayPass(meaning.error, grace, bounds)) throw refusal(what, got, meaning.error);
          await rest(backoff(faults++, world.chance), world, bounds);
          continue;
        case 'renew-token':
          if (renewed) throw refusal(what, got, meaning.error);
          renewed = true;
          world.tokens.forget();
          continue;
        case 'throttled':
          refuseLate(bounds, what, meaning.error);
          gate.closeFor(retryAfter(got.answer, world.clock.now()) ?? THROTTLED_PAUSE);
          continue;
        case 'transient': {
          const done = await request.alreadyDone?.();
          if (done !== undefined) return { answer: done, meaning: { kind: 'good' } };
          refuseLate(bounds, what, meaning.error);
          const asked = retryAfter(got.answer, world.clock.now());
          await rest(asked ?? backoff(faults++, world.chance), world, bounds);
        }
      }
    }
  };
}

/** Whether it may be the delay of a role that was given. @see fleet-api.md §9 */
function mayPass({ code }: ServiceError, grace: Budget, { budget }: CallBounds): boolean {
  const lacksRights = code === 'AuthorizationFailed' || code === 'LinkedAuthorizationFailed';
  return lacksRights && !grace.spent() && !budget.spent();
}

function refusal(what: string, got: { readonly answer: HttpAnswer }, error: ServiceError) {
  return refused(what, got.answer.status, error.code, error.message);
}

/** Azure's own default when a 429 doesn't say how long. @see fleet-api.md §9 */
const THROTTLED_PAUSE: Milliseconds = 15_000;
/** 1 s, 2 s … 64 s, each up to a quarter shorter. @see fleet-api.md §9 */
const LONGEST_PAUSE: Milliseconds = 64_000;

function backoff(faults: number, chance: Chance): Milliseconds {
  const pause = Math.min(LONGEST_PAUSE, 1_000 * 2 ** Math.min(faults, 6));
  return pause - chance.integer(0, Math.floor(pause / 4));
}

function rest(pause: Milliseconds, { clock }: ArmWorld, { budget, signal }: CallBounds) {
  return clock.sleep(Math.min(pause, budget.remaining()), signal);
}

function refuseLate({ budget }: CallBounds, what: string, error: ServiceError): void {
  if (budget.spent()) throw noAnswer(what, `${error.code}: ${error.message}`);
}

/** A read that is refused because something else goes on says nothing of what is there: ask again. */
function meaningOfRead(meaning: AnswerClass): AnswerClass {
  if (meaning.kind !== 'expected') return meaning;
  if (meaning.refusal === 'group-deleting') return { kind: 'absent' };
  return { kind: 'transient', error: meaning.error };
}

interface Gate {
  pass(bounds: CallBounds): Promise<void>;
  closeFor(pause: Milliseconds): void;
}

function createGate(clock: FleetClock): Gate {
  let opensAt = 0;
  const now = (): Milliseconds => Number(clock.monoNs()) / 1e6;
  return {
    pass: async ({ signal }) => {
      signal.throwIfAborted();
      while (opensAt > now()) await clock.sleep(Math.ceil(opensAt - now()), signal);
    },
    closeFor: (pause) => {
      opensAt = Math.max(opensAt, now() + pause);
    },
  };
}

async function attempt(
  request: ArmRequest,
  world: ArmWorld,
  bounds: CallBounds,
): Promise<{ readonly answer: HttpAnswer; readonly meaning: AnswerClass }> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  try {
    const token = await world.tokens.get(bounds.signal);
    const answer = await world.send({
      method: request.method,
      url: request.url,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'x-ms-client-request-id': world.chance.guid(),
        ...request.headers,
      },
      body,
      signal: bounds.signal,
    });
    return { answer, meaning: classify(answer) };
  } catch (error) {
    bounds.signal.throwIfAborted();
    if (error instanceof UserError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const lost = { code: 'no answer', message };
    return {
      answer: { status: 0, headers: {}, body: '' },
      meaning: { kind: 'transient', error: lost },
    };
  }
}

/** Region and host of an address in an answer may differ from ours, but a token goes to Azure alone. */
function refuseForeign(url: string, origin: string): void {
  const host = /^https:\/\/([^/?#]+)/.exec(url)?.[1]?.toLowerCase();
  const own = new URL(origin).host;
  if (host === own || host === AZURE || host?.endsWith(`.${AZURE}`) === true) return;
  throw foreignAddress(url);
}

const AZURE = 'management.azure.com';
