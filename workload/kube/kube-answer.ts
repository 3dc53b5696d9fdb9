import { errorCode } from '../platform/files.js';
import type { KubeAnswer } from './kube-client.js';

/** What came back over the wire, before anybody looks into it. */
export interface RawAnswer {
  readonly status: number;
  readonly json: boolean;
  readonly text: string;
}

/** The `Status` object of Kubernetes, as far as a refusal needs it. */
export interface StatusBody {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly retryAfterSeconds?: number };
}

/** Reads an answer: below 400 its body, otherwise the server's reason. Text that isn't JSON stays text. */
export function answerOf(raw: RawAnswer): KubeAnswer {
  const body = bodyOf(raw);
  if (raw.status < 400) return { ok: true, status: raw.status, body };
  const status = statusBody(body);
  const seconds = status.details?.retryAfterSeconds;
  return {
    ok: false,
    status: raw.status,
    reason: status.reason ?? `Http${raw.status}`,
    message: status.message ?? raw.text.slice(0, MESSAGE_CHARACTERS),
    ...(seconds === undefined ? {} : { retryAfter: seconds * 1_000 }),
  };
}

/** No answer: the connection failed, and the system's code says how. */
export function noAnswer(error: unknown): KubeAnswer {
  const code = errorCode(error) ?? 'Unknown';
  const reason = OUR_NAMES.get(code) ?? code;
  return { ok: false, status: 0, reason, message: errorText(error) };
}

/** No answer, and it was us who stopped waiting. */
export function stopped(reason: 'Timeout' | 'Aborted', message: string): KubeAnswer {
  return { ok: false, status: 0, reason, message };
}

/** The `Status` inside a body; empty when the body is something else. */
export function statusBody(body: unknown): StatusBody {
  if (typeof body !== 'object' || body === null) return {};
  const given = body as Record<string, unknown>;
  const details = given['details'] as { retryAfterSeconds?: unknown } | null | undefined;
  return {
    ...(typeof given['code'] === 'number' ? { code: given['code'] } : {}),
    ...(typeof given['reason'] === 'string' ? { reason: given['reason'] } : {}),
    ...(typeof given['message'] === 'string' ? { message: given['message'] } : {}),
    ...(typeof details?.retryAfterSeconds === 'number'
      ? { details: { retryAfterSeconds: details.retryAfterSeconds } }
      : {}),
  };
}

function bodyOf(raw: RawAnswer): unknown {
  if (!raw.json) return raw.text;
  try {
    return JSON.parse(raw.text) as unknown;
  } catch {
    return raw.text;
  }
}

/** An error's own words; some of Node's connection errors have none but their code. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? (errorCode(error) ?? error.name) : error.message;
}

/** undici's codes for what the system has a better known name for. */
const OUR_NAMES: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
  ['UND_ERR_SOCKET', 'ECONNRESET'],
  ['UND_ERR_DESTROYED', 'Aborted'],
  ['UND_ERR_CLOSED', 'Aborted'],
]);

/** Enough of a proxy's error page to recognise it; ours. */
const MESSAGE_CHARACTERS = 300;
