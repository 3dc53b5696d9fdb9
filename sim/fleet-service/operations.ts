import type { Milliseconds } from '../../model/quantity.js';
import { empty, json, refusal, type ServiceAnswer, type ServiceRequest } from './answers.js';
import { instant } from './documents.js';
import { nextGuid, type ServiceState, type StoredOperation } from './state.js';

/** Work that was accepted: its status address for the header of the answer. */
export function startOperation(
  state: ServiceState,
  request: ServiceRequest,
  takes: Milliseconds,
  about: {
    readonly kind: 'operations' | 'operationresults';
    readonly error?: StoredOperation['error'];
    readonly onEnd: () => void;
  },
): string {
  const now = state.timeline.now();
  const id = nextGuid(state);
  const signature = noise(`${id}s`, 342);
  const operation = { id, startedAt: now, endsAt: now + takes, signature, error: about.error };
  state.operations.set(id, operation);
  state.timeline.at(now + takes, about.onEnd);
  const subscription = request.path.split('/')[2] ?? 'none';
  const place = `/subscriptions/${subscription}/providers/Microsoft.ContainerService/locations/eastus2euap`;
  const context = noise(`${id}c`, state.knobs.longUrls ? 2_700 : 20);
  const query = `api-version=2016-03-30&t=639195290157966738&c=${context}&s=${signature}&h=${noise(id, 43)}`;
  return `${request.origin}${place}/${about.kind}/${id}?${query}`;
}

/** Answers a read of a status address. */
export function operationAnswer(state: ServiceState, request: ServiceRequest): ServiceAnswer {
  const [path = '', query = ''] = request.path.split('?');
  const id = path.slice(path.lastIndexOf('/') + 1);
  const operation = state.operations.get(id);
  const now = state.timeline.now();
  if (operation === undefined || now > operation.endsAt + KNOWN_FOR) {
    return refusal(state, 'ResourceNotFound', `The operation ${id} is not known.`);
  }
  if (state.knobs.strictSignature && !query.includes(`&s=${operation.signature}&`)) {
    state.violations.push(`a status address was altered: ${path}`);
    return { ...json(403, { error: { code: 'AuthorizationFailed', message: 'Bad signature.' } }) };
  }
  const running = now < operation.endsAt;
  if (path.toLowerCase().includes('/operationresults/')) {
    if (!running) return empty(204);
    const body = { name: id, status: 'InProgress', progress: { currentStep: '' } };
    return json(202, body, { location: `${request.origin}${request.path}` });
  }
  return { ...json(200, statusOf(operation, running)), body: statusText(operation, running) };
}

/** @see fleet-api.md §16: status URL valid 1 h */
const KNOWN_FOR: Milliseconds = 3_600_000;

/** Status documents are indented. */
function statusText(operation: StoredOperation, running: boolean): string {
  return JSON.stringify(statusOf(operation, running), undefined, 2);
}

function statusOf({ id, startedAt, endsAt, error }: StoredOperation, running: boolean): object {
  const start = { name: id, startTime: instant(startedAt, 7) };
  if (running) return { ...start, status: 'InProgress' };
  const ended = { ...start, endTime: instant(endsAt, 7) };
  return error === undefined
    ? { ...ended, status: 'Succeeded' }
    : { ...ended, status: 'Failed', error };
}

/** Text that looks like a signature: letters that a careless client would decode or encode again. */
function noise(seed: string, length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~%2B';
  let value = Buffer.from(seed).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7);
  let text = '';
  while (text.length < length) {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    text += letters[value % 66] ?? 'x';
  }
  return text;
}
