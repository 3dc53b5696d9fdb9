import { Construct, TerraformStack, type LocalExecProvisioner } from './cdk.js';
import { stableName } from './expressions.js';
import { FleetHandler } from './fleet-handler.js';

/** Which mesh is retired. */
export interface RetiredFleetMeshProps {
  /** Most time until the mesh is dissolved. @default '2h' */
  readonly drainTimeout?: string;
  /** @default - the one of this package */
  readonly handler?: FleetHandler;
}

/**
 * Takes a `FleetMesh` out of an app. Terraform runs no destroy provisioner of a block that is gone
 * from the code, so removing `new FleetMesh(this, 'fleet-mesh', …)` alone would delete members that
 * are in the mesh. Put this in its place, **with the same id in the same scope**, deploy once, then
 * remove it too. Needs Terraform 1.9.
 *
 * @example
 * // was: new FleetMesh(this, 'fleet-mesh', { clusters, network, fleet });
 * new RetiredFleetMesh(this, 'fleet-mesh');
 */
export class RetiredFleetMesh extends Construct {
  constructor(scope: Construct, id: string, props: RetiredFleetMeshProps = {}) {
    super(scope, id);
    const handler = props.handler ?? FleetHandler.of(this);
    const name = stableName(this);
    const timeout = props.drainTimeout ?? '2h';
    const profile = handler.provisioner({
      verb: 'drain',
      when: 'destroy',
      timeout,
      environment: identities('fleet_id', 'profile'),
    });
    const seat = handler.provisioner({
      verb: 'leave',
      when: 'destroy',
      timeout,
      environment: identities('fleet_id', 'profile', 'member'),
    });
    appendRemoved(TerraformStack.of(this), [
      removed(`null_resource.${name}_profile`, profile),
      removed(`null_resource.${name}_seat`, seat),
    ]);
  }
}

function identities(...names: readonly string[]): Readonly<Record<string, string>> {
  const variables = { fleet_id: 'FLEET_ID', profile: 'PROFILE', member: 'MEMBER' };
  return Object.fromEntries(
    Object.entries(variables)
      .filter(([trigger]) => names.includes(trigger))
      .map(([trigger, variable]) => [variable, '${self.triggers.' + trigger + '}']),
  );
}

function removed(from: string, provisioner: LocalExecProvisioner): object {
  const { type, ...call } = provisioner;
  return { from, lifecycle: { destroy: true }, provisioner: [{ [type]: call }] };
}

/** cdktf has no `removed` block; the stack's overrides are all that reaches the top level. */
function appendRemoved(stack: TerraformStack, blocks: readonly object[]): void {
  const known = RETIRED.get(stack) ?? [];
  known.push(...blocks);
  RETIRED.set(stack, known);
  stack.addOverride('removed', known);
}

const RETIRED = new WeakMap<TerraformStack, object[]>();
