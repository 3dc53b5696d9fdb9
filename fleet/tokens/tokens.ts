import type { Milliseconds } from '../../model/quantity.js';
import { noCredential } from '../arm/errors.js';
import type { FleetClock } from '../ports.js';

/** A token and when it ends, UTC milliseconds. */
export interface Token {
  readonly token: string;
  readonly expiresAt: Milliseconds;
}

/** A token, or in a few words why there is none this way. */
export type TokenAnswer = Token | { readonly reason: string };

/** One way to a token. */
export interface TokenSource {
  readonly name: string;
  get(signal: AbortSignal): Promise<TokenAnswer>;
}

/** The one token of this process. */
export interface Tokens {
  /**
   * A token that is good for some minutes. Throws `azure/no-credential` when no way works; when one
   * has worked before, an ordinary error, which is a fault that passes.
   */
  get(signal: AbortSignal): Promise<string>;
  /** The service has refused the token: get another one. */
  forget(): void;
}

/** Asks the sources in their order; the first that works is kept. Callers at once share one look-up. */
export function createTokens(sources: readonly TokenSource[], clock: FleetClock): Tokens {
  let known: Token | undefined;
  let chosen: TokenSource | undefined;
  let asking: Promise<Token> | undefined;
  const ask = async (signal: AbortSignal): Promise<Token> => {
    const reasons: string[] = [];
    for (const source of chosen === undefined ? sources : [chosen]) {
      const answer = await source.get(signal);
      if ('token' in answer) {
        chosen = source;
        known = answer;
        return answer;
      }
      reasons.push(`${source.name}: ${answer.reason}`);
    }
    if (chosen !== undefined) throw new Error(reasons.join('; '));
    throw noCredential(reasons);
  };
  return {
    get: async (signal) => {
      if (known !== undefined && known.expiresAt - clock.now() > RENEW_BEFORE) return known.token;
      asking ??= ask(signal).finally(() => {
        asking = undefined;
      });
      return (await asking).token;
    },
    forget: () => {
      known = undefined;
    },
  };
}

/** @see fleet-api.md §13 */
const RENEW_BEFORE: Milliseconds = 5 * 60_000;
