import { MAX_CLUSTERS } from '../model/cluster-identity.js';
import { throwAll, type UserError } from '../model/user-error.js';
import { clustersOutOfRange, nodesOutOfRange, rateOutOfRange } from './errors.js';
import { MAX_NODES } from './nodes.js';
import type { MeshSpec } from './state/mesh-file.js';

/** The flags of `up`, as they were typed. */
export interface SpecFlags {
  readonly clusters: string;
  readonly nodes: string;
  readonly exportQps: string;
  readonly meshQps: string;
}

/** Above this a limiter is no limit any more; Cilium's own bootstrap rate. @see data/mesh-model.md §1 */
const MAX_QPS = 10_000;

/** Reads the flags of `up`; throws all that is wrong with them at once. */
export function parseSpec(flags: SpecFlags): MeshSpec {
  const errors: UserError[] = [];
  const clusters = wholeNumber(flags.clusters, MAX_CLUSTERS);
  if (clusters === undefined) errors.push(clustersOutOfRange(flags.clusters, MAX_CLUSTERS));
  const nodes = wholeNumber(flags.nodes, MAX_NODES);
  if (nodes === undefined) errors.push(nodesOutOfRange(flags.nodes, MAX_NODES));
  const exportQps = rate(flags.exportQps);
  if (exportQps === undefined) errors.push(rateOutOfRange('--export-qps', flags.exportQps));
  const meshQps = rate(flags.meshQps);
  if (meshQps === undefined) errors.push(rateOutOfRange('--mesh-qps', flags.meshQps));
  throwAll(errors);
  return {
    clusters: clusters ?? 0,
    nodes: nodes ?? 0,
    exportQps: exportQps ?? 0,
    meshQps: meshQps ?? 0,
  };
}

function wholeNumber(text: string, max: number): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= 1 && value <= max ? value : undefined;
}

function rate(text: string): number | undefined {
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return value > 0 && value <= MAX_QPS ? value : undefined;
}
