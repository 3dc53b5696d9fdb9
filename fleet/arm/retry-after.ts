import type { Milliseconds } from '../../model/quantity.js';
import type { HttpAnswer } from '../ports.js';

/**
 * How long the service asks us to wait: seconds, or a date. A date is read against the answer's own
 * `Date`, so that a wrong clock on this machine does not matter. Undefined when it asks for nothing.
 */
export function retryAfter(answer: HttpAnswer, now: Milliseconds): Milliseconds | undefined {
  const text = answer.headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  const theirs = Date.parse(answer.headers['date'] ?? '');
  return Math.max(0, until - (Number.isNaN(theirs) ? now : theirs));
}
