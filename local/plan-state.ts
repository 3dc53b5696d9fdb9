import { portIsFree } from '../workload/platform/ports.js';
import { localInventory } from './inventory.js';
import type { OpenSupervision } from './open-supervision.js';
import type { MeshPorts, MeshState } from './state/mesh-file.js';
import { planPorts } from './state/port-plan.js';
import type { UpRequest } from './up-request.js';

/**
 * What mesh.json is to say before anything is started. Ports that the mesh had stay its own, except
 * where another program sits on one by now.
 */
export async function planState(
  request: UpRequest,
  before: MeshState | undefined,
  by: OpenSupervision,
): Promise<MeshState> {
  const { spec, stateDir, versions } = request;
  const known = await withoutLostPorts(before?.ports ?? {}, by);
  const ports = await planPorts(spec.clusters, known, by.random);
  const createdAt = before === undefined ? by.clock.now() : Date.parse(before.inventory.createdAt);
  const inventory = localInventory({ stateDir, spec, ports, versions, createdAt });
  const completedClusters = Math.min(before?.completedClusters ?? 0, spec.clusters);
  return { spec, completedClusters, ports, inventory };
}

/** The plan without some of its ports. */
export function withoutPorts(ports: MeshPorts, dropped: ReadonlySet<number>): MeshPorts {
  return Object.fromEntries(
    Object.entries(ports).map(([role, purposes]) => [
      role,
      Object.fromEntries(Object.entries(purposes).filter(([, port]) => !dropped.has(port))),
    ]),
  );
}

/** Ports of processes that live are theirs; of the others those stay that nobody listens on. */
async function withoutLostPorts(ports: MeshPorts, by: OpenSupervision): Promise<MeshPorts> {
  const living = by.table.all().filter((record) => by.processes.state(record) !== 'gone');
  const held = new Set(living.flatMap((record) => Object.values(record.ports)));
  const idle = Object.values(ports)
    .flatMap((purposes) => Object.values(purposes))
    .filter((port) => !held.has(port));
  const lost = new Set<number>();
  for (const port of idle) if (!(await portIsFree(port))) lost.add(port);
  return withoutPorts(ports, lost);
}
