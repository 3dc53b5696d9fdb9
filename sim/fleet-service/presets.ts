import type { Knobs } from './knobs.js';

/** Named settings, for `--preset` and for tests. Each is one thing that was seen or has to be expected. */
export const PRESETS: Readonly<Record<string, Partial<Knobs>>> = {
  recorded: {},
  'lagging-lists': { listLagMs: { join: 20_000, leave: 40_000 }, deleteGuardLagMs: 20_000 },
  'label-lag': { applyLabelLagMs: 45_000 },
  'apply-never-ends': { applyNeverEnds: true },
  'wedge-at-30': { stallAfter: 30 },
  'no-connectivity': { noConnectivity: 'all' },
  'delete-refused': { refuseProfileDeletes: 3 },
  'operations-everywhere': { asyncWrites: true },
  'reordering-pages': { pageSize: 3, reorderDuringPaging: true },
  'slow-answers': { answerMs: 10_000 },
  'short-tokens': { tokenLifetimeMs: 6 * 60_000 },
  throttled: { throttle: { size: 10, refillPerSecond: 0.5, retryAfterSeconds: 12 } },
  'late-clusters': { clusterUnseenMs: 45_000, clusterUpdatingMs: 120_000 },
  'strict-writes': { putDuringApplying: 'refuse', applyDuringApplying: 'refuse' },
};
