import type { Milliseconds } from '../../model/quantity.js';
import { numberAt, parseJson, textAt } from '../json.js';
import type { HttpRequest, SendHttp } from '../ports.js';
import type { TokenAnswer } from './tokens.js';

/** What ARM's tokens are for. @see fleet-api.md §13 */
export const ARM_RESOURCE = 'https://management.azure.com';

/** Asks an HTTP service for a token. Only an abort rejects. */
export async function askForToken(
  send: SendHttp,
  request: HttpRequest & { readonly signal: AbortSignal },
  now: () => Milliseconds,
): Promise<TokenAnswer> {
  try {
    const { status, body } = await send(request);
    return tokenIn(parseJson(body), now()) ?? { reason: refusalText(status, parseJson(body)) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The token of an answer: of Entra ID, of a managed identity, or of the Azure CLI. */
export function tokenIn(json: unknown, now: Milliseconds): TokenAnswer | undefined {
  const token = textAt(json, 'access_token') ?? textAt(json, 'accessToken');
  if (token === undefined) return undefined;
  const at = Number(numberAt(json, 'expires_on') ?? textAt(json, 'expires_on'));
  if (Number.isFinite(at)) return { token, expiresAt: at * 1_000 };
  const lasts = Number(numberAt(json, 'expires_in') ?? textAt(json, 'expires_in'));
  return { token, expiresAt: now + (Number.isFinite(lasts) ? lasts * 1_000 : UNKNOWN_LIFE) };
}

/** A token that does not say when it ends is asked for anew after five minutes; chosen. */
const UNKNOWN_LIFE: Milliseconds = 10 * 60_000;

/** Never the whole body: it may repeat what was sent. */
function refusalText(status: number, json: unknown): string {
  const text = textAt(json, 'error_description') ?? textAt(json, 'error') ?? 'no token in it';
  return `answer ${status}: ${text.split(/\r?\n/)[0] ?? ''}`;
}
