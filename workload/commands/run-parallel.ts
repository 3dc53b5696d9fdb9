import { MIB, type PerSecond } from '../../model/quantity.js';
import type { RunPlan } from '../../model/run-plan.js';
import { observesTogether } from '../exec/observe-together.js';
import { deriveParallelism, type Parallelism, type RunnerCost } from '../exec/parallelism.js';
import { openFileLimit } from '../platform/open-files.js';
import type { CommandContext } from './context.js';
import type { RunFlags } from './run-flags.js';

/** How many clusters of a plan run at once on this machine. Throws what `deriveParallelism` throws. */
export function parallelismOf(
  plan: RunPlan,
  { parallel, executor }: Pick<RunFlags, 'parallel' | 'executor'>,
  { host }: Pick<CommandContext, 'host'>,
): Parallelism {
  const { scenario, inventory, engine } = plan;
  const local = inventory.target === 'local' ? LOCAL_CORES : 0;
  const cost = engine === 'native' || executor === 'job' ? WATCHED : DRIVEN;
  const writes = executor === 'job' ? local : cost.coresPerWrite + local;
  return deriveParallelism({
    clusters: inventory.clusters.length,
    together: observesTogether(scenario),
    asked: parallel,
    cost: { ...cost, coresPerWrite: writes },
    machine: {
      cores: host.cores,
      availableMemory: host.availableMemory(),
      openFiles: openFileLimit(),
    },
    writes: fastest(scenario),
  });
}

function fastest({ phases }: RunPlan['scenario']): PerSecond | undefined {
  const rates = phases.flatMap(({ rate }) => rate ?? []);
  return rates.length === 0 ? undefined : Math.max(...rates);
}

/** The runner's own connections and watches. @see docs/results, bench/fan-out and bench/kube-creates */
const WATCHED: RunnerCost = { memory: 8 * MIB, openFiles: 12, coresPerWrite: 0.0012 };
/** A ClusterLoader2 of its own here: 100 to 300 MB with thousands of pods. @see data/clusterloader2.md §6.4 */
const DRIVEN: RunnerCost = { memory: 300 * MIB, openFiles: 16, coresPerWrite: 0.0024 };
/** The API servers share this machine: two cores bear 50 Deployments a second in all. @see docs/results, run-rates */
const LOCAL_CORES = 0.04;
