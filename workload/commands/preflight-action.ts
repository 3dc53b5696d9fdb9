import { throwAll } from '../../model/user-error.js';
import { closeClusters, connectClusters } from '../inventory/cluster-connection.js';
import { preflight } from '../inventory/preflight.js';
import { errorDocument } from '../ui/error-text.js';
import type { CommandContext } from './context.js';
import type { TargetFlags } from './run-flags.js';
import { openAccess, temporaryFolder } from './open-access.js';
import { findTarget } from './run-target.js';

/** Looks at the clusters and tells all problems at once. */
export async function tellPreflight(flags: TargetFlags, context: CommandContext): Promise<void> {
  const { inventory } = await findTarget(flags, context);
  const access = openAccess(temporaryFolder, context);
  const clusters = await connectClusters(inventory.clusters, access.source, context.clock);
  try {
    const { problems, good, unseen } = await preflight(clusters, context);
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
