import type { ActionFailure, ActionReport, ClusterEngine } from '../native/cluster-engine.js';

/** When logs of the mesh's own pods are fetched. */
export type PodLogPolicy = 'on-failure' | 'always';

/**
 * An engine that fetches logs when it comes to its end: of every attempt, or of one in which
 * something failed. It does so while the cluster is still as the failure left it.
 */
export function withPodLogs(
  engine: ClusterEngine,
  policy: PodLogPolicy,
  fetch: () => Promise<void>,
): ClusterEngine {
  let failed = false;
  const noted = (failure: ActionFailure | undefined): ActionFailure | undefined => {
    if (failure !== undefined) failed = true;
    return failure;
  };
  const reported = (report: ActionReport): ActionReport => {
    noted(report.failure);
    return report;
  };
  const { closePhase } = engine;
  return {
    ...engine,
    start: async (signal) => noted(await engine.start(signal)),
    act: async (phase, budget, signal) => reported(await engine.act(phase, budget, signal)),
    ...(closePhase === undefined
      ? {}
      : {
          closePhase: async (phase, budget, signal) =>
            reported(await closePhase(phase, budget, signal)),
        }),
    conclude: async (stop, signal) => {
      const failure = noted(await engine.conclude?.(stop, signal));
      // A user who interrupts wants to have the terminal back.
      if (stop !== 'interruption' && (failed || policy === 'always' || stop === 'budget')) {
        await fetch();
      }
      return failure;
    },
  };
}
