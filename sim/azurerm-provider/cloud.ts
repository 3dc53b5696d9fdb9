import type { CtyObject } from './cty-codec.js';
import type { FleetSide, Refusal } from './fleet-side.js';

/** Something that exists. */
interface CloudResource {
  readonly type: string;
  readonly value: CtyObject;
}

/** Has the next calls of this kind refused, or held until a test lets them go. */
export interface CloudFault {
  readonly verb: 'create' | 'update' | 'delete';
  readonly type: string;
  /** Name of the resource. */
  readonly name: string;
  times: number;
  /** Called when the call has arrived; it goes on when the promise resolves. @default - refused at once */
  readonly hold?: () => Promise<'done' | 'lost'>;
}

/** Everything that exists, to come back to it. */
export type CloudSnapshot = ReadonlyMap<string, CloudResource>;

/**
 * What exists in the stand-in's Azure. It keeps the two rules of order that matter: what others
 * refer to, or stand in, cannot be deleted, and what is referred to has to exist.
 */
export class Cloud {
  /** What happened, in order: `create azurerm_kubernetes_cluster mesh-001`. Others may add lines. */
  readonly events: string[] = [];
  readonly faults: CloudFault[] = [];
  private readonly resources = new Map<string, CloudResource>();

  constructor(
    private readonly fleet: FleetSide,
    /** Ids of things that are there although Terraform didn't make them. */
    private readonly existing: readonly string[] = [],
  ) {}

  /** All ids of one Terraform type, sorted. */
  ids(type: string): readonly string[] {
    return [...this.resources]
      .filter(([, resource]) => resource.type === type)
      .map(([id]) => id)
      .sort();
  }

  /** Number of things that exist. */
  get size(): number {
    return this.resources.size;
  }

  snapshot(): CloudSnapshot {
    return new Map(this.resources);
  }

  /** Puts everything back as it was, without an event. */
  restore(snapshot: CloudSnapshot): void {
    this.resources.clear();
    for (const [id, resource] of snapshot) this.resources.set(id, resource);
    this.faults.length = 0;
  }

  read(id: string): CtyObject | undefined {
    return this.resources.get(key(id))?.value;
  }

  async create(type: string, id: string, value: CtyObject): Promise<Refusal | undefined> {
    const refusal = (await this.faultOf('create', type, id)) ?? this.refuseCreate(type, id, value);
    if (refusal !== undefined) return refusal;
    const other = await this.tellFleetOfNew(type, id, value);
    if (other !== undefined) return other;
    this.resources.set(key(id), { type, value });
    this.events.push(`create ${type} ${nameOf(id)}`);
    return undefined;
  }

  async update(type: string, id: string, value: CtyObject): Promise<Refusal | undefined> {
    const refusal = await this.faultOf('update', type, id);
    if (refusal !== undefined) return refusal;
    this.resources.set(key(id), { type, value });
    this.events.push(`update ${type} ${nameOf(id)}`);
    return undefined;
  }

  async delete(type: string, id: string): Promise<Refusal | undefined> {
    const refusal = (await this.faultOf('delete', type, id)) ?? this.refuseDelete(id);
    if (refusal !== undefined) return refusal;
    const other = await this.tellFleetOfGone(type, id);
    if (other !== undefined) {
      this.events.push(`VIOLATION delete ${type} ${nameOf(id)} ${other.code}`);
      return other;
    }
    this.resources.delete(key(id));
    this.events.push(`delete ${type} ${nameOf(id)}`);
    return undefined;
  }

  private async faultOf(
    verb: CloudFault['verb'],
    type: string,
    id: string,
  ): Promise<Refusal | undefined> {
    const fault = this.faults.find(
      (each) =>
        each.verb === verb && each.type === type && each.name === nameOf(id) && each.times > 0,
    );
    if (fault === undefined) return undefined;
    fault.times -= 1;
    if ((await fault.hold?.()) === 'done') return undefined;
    this.events.push(`FAULT ${verb} ${type} ${nameOf(id)}`);
    return { code: 'InternalServerError', message: `a planted fault: ${verb} ${nameOf(id)}` };
  }

  private refuseCreate(type: string, id: string, value: CtyObject): Refusal | undefined {
    if (this.resources.has(key(id))) {
      return {
        code: 'ImportAsExists',
        message: `A resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State.`,
      };
    }
    const missing = [...idsIn(value), ...parentsOf(type, id)].find((each) => !this.exists(each));
    return missing === undefined
      ? undefined
      : { code: 'ResourceNotFound', message: `The Resource ${missing} was not found.` };
  }

  private refuseDelete(id: string): Refusal | undefined {
    for (const [other, { value }] of this.resources) {
      const inside = other.startsWith(`${key(id)}/`);
      if (inside || (other !== key(id) && idsIn(value).some((each) => key(each) === key(id)))) {
        this.events.push(`VIOLATION delete ${nameOf(id)} while used by ${nameOf(other)}`);
        return { code: 'InUse', message: `${id} is still used by ${other}` };
      }
    }
    return undefined;
  }

  private exists(id: string): boolean {
    return this.resources.has(key(id)) || this.existing.some((each) => key(each) === key(id));
  }

  private async tellFleetOfNew(
    type: string,
    id: string,
    value: CtyObject,
  ): Promise<Refusal | undefined> {
    if (type === 'azurerm_kubernetes_fleet_manager') await this.fleet.fleetMade(id);
    if (type === 'azurerm_kubernetes_cluster') await this.fleet.clusterMade(id);
    if (type !== 'azurerm_kubernetes_fleet_member') return undefined;
    const cluster = value['kubernetes_cluster_id'];
    return this.fleet.memberMade(id, typeof cluster === 'string' ? cluster : '');
  }

  private async tellFleetOfGone(type: string, id: string): Promise<Refusal | undefined> {
    if (type === 'azurerm_kubernetes_fleet_manager') await this.fleet.fleetGone(id);
    if (type === 'azurerm_kubernetes_cluster') await this.fleet.clusterGone(id);
    return type === 'azurerm_kubernetes_fleet_member' ? this.fleet.memberGone(id) : undefined;
  }
}

/** Azure compares ids without regard to case. */
function key(id: string): string {
  return id.toLowerCase();
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** The group or the parent that an id says that its resource is in. */
function parentsOf(type: string, id: string): readonly string[] {
  if (type === 'azurerm_resource_group' || type === 'azurerm_role_assignment') return [];
  const group = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0];
  const parent = /^(.*\/providers\/[^/]+\/[^/]+\/[^/]+)\/[^/]+\/[^/]+$/.exec(id)?.[1];
  return [group, parent].filter((each) => each !== undefined);
}

const COMPUTED = new Set(['id', 'node_resource_group_id']);

/** Ids of other resources among the arguments, also inside of blocks. */
function idsIn(value: unknown, name = ''): readonly string[] {
  if (COMPUTED.has(name)) return [];
  if (typeof value === 'string') {
    return /^\/subscriptions\/[^/]+\/resourceGroups\//i.test(value) &&
      !name.endsWith('definition_id')
      ? [value]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, each]) => idsIn(each, field));
}
