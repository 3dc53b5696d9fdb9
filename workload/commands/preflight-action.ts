import { throwAll } from '../../model/user-error.js';
import { cleanClusters } from '../exec/clean-clusters.js';
import { smoke, smokePathOf } from '../exec/smoke/smoke.js';
import { unlimited } from '../exec/unlimited.js';
import {
  closeClusters,
  connectClusters,
  type ConnectedCluster,
} from '../inventory/cluster-connection.js';
import { preflight, type PreflightReport } from '../inventory/preflight.js';
import { usableClusters } from '../inventory/usable-clusters.js';
import { errorDocument } from '../ui/error-document.js';
import type { CommandContext } from './context.js';
import type { RunFlags, TargetFlags } from './run-flags.js';
import { smokeOf } from './smoke-flags.js';
import { openAccess, temporaryFolder } from './open-access.js';
import { findTarget } from './run-target.js';

/** The flags of `preflight`. */
export type PreflightFlags = TargetFlags & Pick<RunFlags, 'smoke' | 'smokeImage'>;

/** Looks at the clusters and tells all problems at once. */
export async function tellPreflight(flags: PreflightFlags, context: CommandContext): Promise<void> {
  const chosen = smokeOf(flags);
  // Every request to every cluster listens to it.
  unlimited(context.signal);
  const { inventory } = await findTarget(flags, context);
  const access = openAccess(temporaryFolder, context);
  const clusters = await connectClusters(inventory.clusters, access.source, context.clock);
  try {
    const looked = await preflight(clusters, context);
    const smoked = await smokeClusters(usableClusters(clusters, looked), chosen, context);
    const problems = [...looked.problems, ...smoked.problems];
    const good = [...looked.good, ...smoked.good];
    const unseen = [...looked.unseen, ...smoked.unseen];
    if (context.wantsJson()) {
      const errors = problems.map(errorDocument);
      context.output.json({ schemaVersion: 1, ready: problems.length === 0, good, unseen, errors });
      for (const { exit } of problems) context.exitWith(exit);
      return;
    }
    for (const text of good) context.output.data(`✓ ${text}`);
    for (const text of unseen) context.output.data(`· not seen: ${text}`);
    throwAll(problems);
  } finally {
    await closeClusters(clusters);
    await access.close();
  }
}

/** Leaves nothing: what it makes carries a name of its own that no run has. */
async function smokeClusters(
  clusters: readonly ConnectedCluster[],
  chosen: ReturnType<typeof smokeOf>,
  context: CommandContext,
): Promise<PreflightReport> {
  const { clock, signal, random } = context;
  const runId = `preflight-${random.integer(0, 2 ** 31).toString(36)}`;
  const setting = { ...chosen, clusters, runId, clock, signal };
  const path = await smokePathOf(setting);
  try {
    return await smoke(setting, path);
  } finally {
    const request = { clusters, runId, clock, progress: context.progress() };
    // Not the command's signal: cleaning is what a Ctrl-C asks for.
    if (path !== 'none') await cleanClusters({ ...request, signal: new AbortController().signal });
  }
}
