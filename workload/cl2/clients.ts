import type { Cl2Config } from './config-api.js';

/**
 * How many clients ClusterLoader2 needs so that they are not what limits the load: each takes 100
 * calls a second, and the default is one for 100 nodes. @see data/clusterloader2.md §5, trap 21
 */
export function clientsNeeded({ tuningSets, steps }: Cl2Config): number {
  const rates = steps.flatMap((step) => {
    if (!('phases' in step)) return [];
    return step.phases.map(({ tuningSet, objectBundle }) => {
      const set = tuningSets.find(({ name }) => name === tuningSet);
      if (set === undefined || !('qpsLoad' in set)) return 0;
      // A patch reads the object first.
      return set.qpsLoad.qps * objectBundle.length * CALLS_PER_OBJECT;
    });
  });
  return Math.max(1, Math.ceil(Math.max(0, ...rates) / CLIENT_RATE));
}

const CALLS_PER_OBJECT = 2;
/** @see data/clusterloader2.md §1.7 */
const CLIENT_RATE = 100;
