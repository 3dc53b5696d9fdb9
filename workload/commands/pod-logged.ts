import { join } from 'node:path';
import type { Milliseconds } from '../../model/quantity.js';
import { collectPodLogs } from '../cl2/pod-logs.js';
import { withPodLogs } from '../cl2/with-pod-logs.js';
import type { CreateEngine } from '../exec/create-engine.js';

/** Engines whose attempts keep logs of the mesh's own pods: failed ones, or all. */
export function podLogged(create: CreateEngine, always: boolean | undefined): CreateEngine {
  return (request) => {
    const { connection, places, clock, log } = request;
    const folder = join(places.root, 'pods');
    return withPodLogs(create(request), always === true ? 'always' : 'on-failure', async () => {
      const { files, remarks } = await collectPodLogs({
        ...{ clock, folder, budget: BUDGET, client: connection.kube },
        // Not the run's signal: they are fetched because of what ended it.
        signal: new AbortController().signal,
      });
      for (const remark of remarks) log(remark);
      if (files > 0) log(`${files} logs of the mesh's pods were kept in pods/`);
    });
  };
}

/** Ours: what a failed attempt may hold up the end of its run. */
const BUDGET: Milliseconds = 60_000;
