import type { Milliseconds } from '../../model/quantity.js';
import { sleepWithin } from '../budget.js';
import type { CallBounds, ServiceError } from '../fleet-api.js';
import { parseJson, textAt, valueAt } from '../json.js';
import type { FleetClock, HttpAnswer } from '../ports.js';
import { noAnswer } from './errors.js';
import type { Exchange } from './exchange.js';
import { retryAfter } from './retry-after.js';
import { errorsIn } from './service-error.js';

/** How the work behind a write ended. `unknown`: its status address is gone; read the resource. */
export type OperationEnd =
  | { readonly state: 'done' }
  | { readonly state: 'unknown' }
  | { readonly state: 'failed'; readonly error: ServiceError };

/** What following an operation needs. */
export interface Following {
  readonly exchange: Exchange;
  readonly clock: FleetClock;
}

/**
 * Follows a write to its end. How is decided from the first answer alone, never from the method:
 * `Azure-AsyncOperation`, else `Location`, else the work is done. @see fleet-api.md §6
 */
export async function followOperation(
  first: HttpAnswer,
  following: Following,
  bounds: CallBounds,
): Promise<OperationEnd> {
  const statusUrl = first.headers['azure-asyncoperation'];
  const url = statusUrl ?? first.headers['location'];
  if (url === undefined || first.status >= 300) return { state: 'done' };
  let last = first;
  for (let polls = 0; ; polls += 1) {
    const pause = retryAfter(last, following.clock.now()) ?? POLL_AFTER[polls] ?? POLL_EVERY;
    await sleepWithin(bounds.budget, pause, { clock: following.clock, signal: bounds.signal });
    // Byte for byte: the address is signed.
    const { answer, meaning } = await following.exchange({ method: 'GET', url }, bounds);
    last = answer;
    if (meaning.kind === 'absent') return { state: 'unknown' };
    const end = statusUrl === undefined ? endByLocation(answer) : endByStatus(answer);
    if (end !== undefined) return end;
    if (bounds.budget.spent())
      throw noAnswer('an operation has not ended', answer.body.slice(0, 300));
  }
}

/** First polls of member operations, which take 6 to 8 s; later ones. @see fleet-api.md §6 */
const POLL_AFTER: readonly Milliseconds[] = [2_000, 2_000, 3_000];
const POLL_EVERY: Milliseconds = 5_000;

function endByLocation({ status }: HttpAnswer): OperationEnd | undefined {
  return status === 202 ? undefined : { state: 'done' };
}

function endByStatus({ body }: HttpAnswer): OperationEnd | undefined {
  const document = parseJson(body);
  switch (textAt(document, 'status')?.toLowerCase() ?? '') {
    case 'succeeded':
      return { state: 'done' };
    case 'failed':
    case 'canceled': {
      const [error] = errorsIn(valueAt(document, 'error'));
      return { state: 'failed', error: error ?? { code: 'Failed', message: body.slice(0, 300) } };
    }
    default:
      return undefined;
  }
}
