import { MAX_CLUSTERS } from '../model/cluster-identity.js';
import { throwAll, type UserError } from '../model/user-error.js';
import { clustersOutOfRange, nodesOutOfRange, rateOutOfRange } from './errors.js';
import { MAX_NODES } from './nodes.js';
import type { MeshSpec } from './state/mesh-file.js';

/** The flags of `up`, as they were typed. @default - each: what the mesh has already, else {@link DEFAULT_SPEC} */
export interface SpecFlags {
  readonly clusters?: string;
  readonly nodes?: string;
  readonly exportQps?: string;
  readonly meshQps?: string;
}

/** What `up` makes when nothing is said. Rates as in Cilium's chart. @see contracts.md §§4, 11 */
export const DEFAULT_SPEC: MeshSpec = { clusters: 2, nodes: 20, exportQps: 20, meshQps: 100 };

/** Above this a limiter is no limit any more; Cilium's own bootstrap rate. @see data/mesh-model.md §1 */
const MAX_QPS = 10_000;

/**
 * Reads the flags of `up`; throws all that is wrong with them at once. What is not said stays as the
 * mesh in `known` has it, so that a bare `up` repairs a mesh and never shrinks it.
 */
export function parseSpec(flags: SpecFlags, known: MeshSpec = DEFAULT_SPEC): MeshSpec {
  const errors: UserError[] = [];
  const read = (
    text: string | undefined,
    otherwise: number,
    parse: (text: string) => number | undefined,
    refuse: (text: string) => UserError,
  ): number => {
    if (text === undefined) return otherwise;
    const value = parse(text);
    if (value === undefined) errors.push(refuse(text));
    return value ?? otherwise;
  };
  const clusters = read(flags.clusters, known.clusters, wholeNumber(MAX_CLUSTERS), (given) =>
    clustersOutOfRange(given, MAX_CLUSTERS),
  );
  const nodes = read(flags.nodes, known.nodes, wholeNumber(MAX_NODES), (given) =>
    nodesOutOfRange(given, MAX_NODES),
  );
  const exportQps = read(flags.exportQps, known.exportQps, rate, (given) =>
    rateOutOfRange('--export-qps', given),
  );
  const meshQps = read(flags.meshQps, known.meshQps, rate, (given) =>
    rateOutOfRange('--mesh-qps', given),
  );
  throwAll(errors);
  return { clusters, nodes, exportQps, meshQps };
}

function wholeNumber(max: number): (text: string) => number | undefined {
  return (text) => {
    if (!/^\d+$/.test(text)) return undefined;
    const value = Number(text);
    return value >= 1 && value <= max ? value : undefined;
  };
}

function rate(text: string): number | undefined {
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return value > 0 && value <= MAX_QPS ? value : undefined;
}
