import type { Milliseconds, PerSecond } from '../../model/quantity.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';

/** How many events are wanted, and how fast. */
export interface RateRequest {
  readonly count: number;
  /** @default - as fast as they are taken */
  readonly perSecond?: PerSecond | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * The most events under way. Beyond it the schedule waits, and the achieved rate tells.
   * @default 128 (ours: eight for each connection of a client; more would only queue inside of us)
   */
  readonly atOnce?: number | undefined;
}

/** What became of a rate. */
export interface AchievedRate {
  /** Null: as fast as it goes. */
  readonly asked: PerSecond | null;
  /** Accepted events per second; null when fewer than two were accepted, so that there is no rate. */
  readonly achieved: PerSecond | null;
  readonly accepted: number;
  readonly refused: number;
}

const AT_ONCE = 128;

/** Ours: a busy API server may take this long for one answer; the rate of 20 events is not to hang on it. */
const ANSWER_TIME: Milliseconds = 1_000;

/**
 * Issues `count` events on an open-loop schedule: event i is due at start + i ÷ rate on the monotonic
 * clock, whether or not those before it were answered. Never one earlier, so by any moment t at most
 * rate·t + 1 have been issued; one that is late is issued at once. `issue` answers whether the event
 * was accepted. Rejects when the signal aborts, after the events under way have ended.
 */
export async function keepRate(
  request: RateRequest,
  issue: (index: number) => Promise<boolean>,
): Promise<AchievedRate> {
  const { count, perSecond, clock, signal, atOnce = AT_ONCE } = request;
  const times = { issued: [] as Milliseconds[], accepted: [] as Milliseconds[] };
  const underWay = new Set<Promise<void>>();
  const start = clock.monoNs();
  const elapsed = (): Milliseconds => millisecondsBetween(start, clock.monoNs());
  const defects: unknown[] = [];
  const begin = (index: number): void => {
    times.issued.push(elapsed());
    const event: Promise<void> = issue(index)
      .then(
        (accepted) => {
          if (accepted) times.accepted.push(elapsed());
        },
        (defect: unknown) => {
          defects.push(defect);
        },
      )
      .finally(() => underWay.delete(event));
    underWay.add(event);
  };
  try {
    for (let index = 0; index < count; index += 1) {
      signal.throwIfAborted();
      while (underWay.size >= atOnce) await Promise.race(underWay);
      const due = perSecond === undefined ? 0 : (index * 1_000) / perSecond;
      const early = due - elapsed();
      // Timers have a grain of a millisecond and may fire early: look again.
      if (early > 0) await sleepUntil(due, elapsed, clock, signal);
      begin(index);
    }
  } finally {
    await Promise.all(underWay);
  }
  if (defects.length > 0) throw defects[0];
  return achievedRate(request, times);
}

async function sleepUntil(
  due: Milliseconds,
  elapsed: () => Milliseconds,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (let early = due - elapsed(); early > 0; early = due - elapsed()) {
    await clock.sleep(early, signal);
  }
}

/**
 * Accepted events over the longer of two spans: first to last issued, and first to last accepted
 * without {@link ANSWER_TIME}. A late schedule and a growing queue of answers cost, an answer that
 * comes late once does not, and a refusal counts as lost.
 */
function achievedRate(
  { count, perSecond }: RateRequest,
  { issued, accepted }: { issued: readonly Milliseconds[]; accepted: readonly Milliseconds[] },
): AchievedRate {
  const asked = perSecond ?? null;
  const counts = { accepted: accepted.length, refused: count - accepted.length };
  const span = Math.max(spanOf(issued), spanOf(accepted) - ANSWER_TIME) / 1_000;
  if (count < 2) return { asked, achieved: accepted.length === count ? asked : null, ...counts };
  const gaps = Math.max(0, accepted.length - 1);
  return { asked, achieved: span > 0 ? gaps / span : null, ...counts };
}

function spanOf(times: readonly Milliseconds[]): Milliseconds {
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}
