import type { Milliseconds } from '../model/quantity.js';
import { durationText } from '../model/quantity.js';
import type { FleetWorld } from './fleet-world.js';

/** Tells a state again only when it has changed, or when a minute has passed. */
export type TellChanges = (text: string) => void;

/** Makes the teller of one deed. */
export function tellChanges(
  { clock, progress }: Pick<FleetWorld, 'clock' | 'progress'>,
  subject: string,
): TellChanges {
  const start = clock.monoNs();
  let last: { readonly text: string; readonly at: Milliseconds } | undefined;
  return (text) => {
    const at = Number(clock.monoNs() - start) / 1e6;
    if (last?.text === text && at - last.at < AGAIN) return;
    const waited = last?.text === text ? ` (for ${durationText(at)})` : '';
    last = { text, at };
    progress.report({ subject, state: 'running', text: `${text}${waited}` });
  };
}

/** @see style card, rule 22: at most one line a minute where nothing changes */
const AGAIN: Milliseconds = 60_000;
