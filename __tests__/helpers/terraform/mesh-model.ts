import type { FleetSide, Refusal } from '../../../sim/azurerm-provider/fleet-side.js';

interface Member {
  readonly clusterId: string;
  labelled: boolean;
  attached: boolean;
}

/**
 * The least of a Fleet service that shows whether the graph is right: who is labelled, who is
 * attached, and that an attached member cannot be deleted.
 */
export class MeshModel implements FleetSide {
  readonly members = new Map<string, Member>();
  readonly clusters = new Set<string>();
  profile = false;

  /** Names of the members that are in the mesh, sorted. */
  get attached(): readonly string[] {
    return [...this.members]
      .filter(([, member]) => member.attached)
      .map(([id]) => nameOf(id))
      .sort();
  }

  /** A copy to come back to. */
  snapshot(): MeshModel {
    const copy = new MeshModel();
    copy.restore(this);
    return copy;
  }

  restore(from: MeshModel): void {
    this.members.clear();
    for (const [id, member] of from.members) this.members.set(id, { ...member });
    this.clusters.clear();
    for (const id of from.clusters) this.clusters.add(id);
    this.profile = from.profile;
  }

  ensure(members: readonly string[]): void {
    this.profile = true;
    for (const [id, member] of this.members) {
      if (members.includes(nameOf(id))) member.labelled = true;
      member.attached = member.labelled;
    }
  }

  leave(name: string): void {
    for (const [id, member] of this.members) {
      if (nameOf(id) !== name) continue;
      member.labelled = false;
      member.attached = false;
    }
  }

  drain(): void {
    for (const member of this.members.values()) {
      member.labelled = false;
      member.attached = false;
    }
    this.profile = false;
  }

  fleetMade(): Promise<void> {
    return Promise.resolve();
  }

  fleetGone(): Promise<void> {
    return Promise.resolve();
  }

  clusterMade(clusterId: string): Promise<void> {
    this.clusters.add(clusterId);
    return Promise.resolve();
  }

  clusterGone(clusterId: string): Promise<void> {
    this.clusters.delete(clusterId);
    return Promise.resolve();
  }

  memberMade(id: string, clusterId: string): Promise<Refusal | undefined> {
    this.members.set(id, { clusterId, labelled: false, attached: false });
    return Promise.resolve(undefined);
  }

  memberGone(id: string): Promise<Refusal | undefined> {
    if (this.members.get(id)?.attached === true) {
      return Promise.resolve({
        code: 'MemberBelongsToClusterMesh',
        message: `${nameOf(id)} belongs to a cluster mesh`,
      });
    }
    this.members.delete(id);
    return Promise.resolve(undefined);
  }
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
