import type { FleetSide, Refusal } from './fleet-side.js';
import { seedCluster } from '../fleet-service/routes/cluster-routes.js';
import { seedFleet } from '../fleet-service/routes/fleet-routes.js';
import { seedMember } from '../fleet-service/routes/member-routes.js';
import type { FleetService } from '../fleet-service/service.js';
import type { StoredFleet } from '../fleet-service/state.js';

/** Terraform's stand-in and the Fleet service in one world: what one makes, the other knows. */
export interface ServiceSide extends FleetSide {
  /** Names of the members that are in a mesh, sorted. */
  attached(): readonly string[];
}

/** Lets the stand-in make fleets, clusters and members of `service`, and asks it before deleting. */
export function serviceSide({ state }: FleetService): ServiceSide {
  const fleetOf = (id: string): StoredFleet | undefined => state.fleets.get(id.toLowerCase());
  const memberOf = (id: string) => {
    const [fleetId = '', name = ''] = id.split('/members/');
    return { fleet: fleetOf(fleetId), name };
  };
  return {
    attached: () =>
      [...state.fleets.values()]
        .flatMap(({ members }) => [...members.values()])
        .filter(({ mesh }) => mesh !== undefined)
        .map(({ name }) => name)
        .sort(),
    fleetMade: (id) => done(() => seedFleet(state, id)),
    fleetGone: (id) => done(() => state.fleets.delete(id.toLowerCase())),
    clusterMade: (id) => done(() => seedCluster(state, id)),
    clusterGone: (id) => done(() => state.clusters.delete(id.toLowerCase())),
    memberMade: (id, clusterId) => {
      const { fleet, name } = memberOf(id);
      if (fleet === undefined) return Promise.resolve(refused('ParentResourceNotFound', id));
      seedMember(state, fleet, name, { clusterId });
      return Promise.resolve(undefined);
    },
    memberGone: (id) => {
      const { fleet, name } = memberOf(id);
      const member = fleet?.members.get(name.toLowerCase());
      if (member?.mesh !== undefined) {
        return Promise.resolve(refused('MemberBelongsToClusterMesh', id));
      }
      fleet?.members.delete(name.toLowerCase());
      return Promise.resolve(undefined);
    },
  };
}

function done(deed: () => unknown): Promise<void> {
  deed();
  return Promise.resolve();
}

function refused(code: string, id: string): Refusal {
  return { code, message: `${code}: ${id}` };
}
