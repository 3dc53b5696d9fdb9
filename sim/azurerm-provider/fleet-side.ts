/** Why Azure refuses something. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/**
 * What the stand-in asks of whoever plays the Fleet service, so that both see one world: a member
 * made by Terraform is one that a handler can label, and a member in a mesh cannot be deleted.
 */
export interface FleetSide {
  fleetMade(fleetId: string): Promise<void>;
  fleetGone(fleetId: string): Promise<void>;
  clusterMade(clusterId: string): Promise<void>;
  clusterGone(clusterId: string): Promise<void>;
  memberMade(memberId: string, clusterId: string): Promise<Refusal | undefined>;
  memberGone(memberId: string): Promise<Refusal | undefined>;
}
