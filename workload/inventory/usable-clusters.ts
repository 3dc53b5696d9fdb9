import type { UserError } from '../../model/user-error.js';
import { roleOf, type ConnectedCluster } from './cluster-connection.js';
import type { PreflightReport } from './preflight.js';

/**
 * The clusters as preflight left them: one whose API server cannot be used counts as not reached, with
 * that as its cause. Nothing is tried there, so nobody waits for it and nothing of ours is left on it.
 */
export function usableClusters(
  clusters: readonly ConnectedCluster[],
  { problems }: Pick<PreflightReport, 'problems'>,
): readonly ConnectedCluster[] {
  return clusters.map((one) => {
    const errors = problems.filter((problem) => isAgainst(problem, roleOf(one)));
    if (one.state === 'unreachable' || errors.length === 0) return one;
    return { state: 'unreachable', cluster: one.connection.cluster, errors };
  });
}

function isAgainst({ code, where }: UserError, role: string): boolean {
  return UNUSABLE.has(code) && where !== undefined && 'path' in where && where.path === role;
}

const UNUSABLE: ReadonlySet<string> = new Set([
  'inventory/unreachable',
  'inventory/credentials-expired',
]);
