import { setMaxListeners } from 'node:events';

/**
 * Tells Node that many may listen to this signal: every request under way does, and Node takes more
 * than ten for a leak.
 */
export function unlimited(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
