import { MAX_CLUSTERS } from '../model/cluster-identity.js';
import {
  Construct,
  TerraformIterator,
  TerraformLocal,
  TerraformVariable,
  Token,
  VariableType,
} from './cdk.js';
import type { ClusterField, IClusterSet, PlanCondition } from './cluster-set.js';
import { stableName, template, type Expression } from './expressions.js';
import { PlanGuard } from './plan-guard.js';

/** Contracts §2: the addresses of cluster `i`; a test compares them with model/address-plan. */
const ADDRESSES = [
  'number = i',
  'vnet = "10.${i}.0.0/16"',
  'nodes = "10.${i}.0.0/22"',
  'pods = "10.${i}.16.0/20"',
  'services = "192.168.0.0/20"',
  'dns_service_ip = "192.168.0.10"',
].join(', ');

const FIELDS: readonly ClusterField[] = [
  'number',
  'vnet',
  'nodes',
  'pods',
  'services',
  'dns_service_ip',
];

/**
 * The clusters `mesh-001` … as many as the Terraform variable `clusters` says, all alike: one synth
 * serves every N, and `--var clusters=25` after `--var clusters=20` touches nothing that exists.
 *
 * Its default 0 means *not given*: a forgotten `--var` is refused when Terraform plans, so nothing
 * changes and nothing waits at a prompt, and `destroy` needs no `--var`.
 *
 * @example
 * const clusters = new ClusterVariable(this, 'clusters');
 * const mesh = new MeshCluster(this, 'mesh', { clusters, resourceGroup, meshName: 'weekly' });
 */
export class ClusterVariable extends Construct implements IClusterSet {
  readonly map: Expression = 'local.clusters';
  readonly count: Expression = 'var.clusters';
  readonly role: Expression = 'each.key';
  readonly iterator: TerraformIterator;
  private readonly variable: TerraformVariable;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.variable = declareVariable(this);
    this.iterator = TerraformIterator.fromMap(Token.asAnyMap(declareMap(this)));
    // Not a validation: `destroy` has to accept the default.
    new PlanGuard(this, 'guard', stableName(this, 'guard')).require({
      condition: 'var.clusters > 0',
      message:
        'The number of clusters was not given. Say it with --var clusters=N (1 to 255), or set ' +
        'TF_VAR_clusters. Nothing was changed.',
    });
  }

  field(name: ClusterField): Expression | undefined {
    return FIELDS.includes(name) ? `each.value.${name}` : undefined;
  }

  fieldOf(name: ClusterField, role: Expression): Expression | undefined {
    return FIELDS.includes(name) ? `${this.map}[${role}].${name}` : undefined;
  }

  /** By a validation, which is looked at before anything is planned: a plan too large takes hours. */
  require({ condition, message }: PlanCondition): void {
    this.variable.addValidation({ condition: template(condition), errorMessage: message });
  }
}

/** `nullable = false` and a default: without any, a run without a terminal waits for input for ever. */
function declareVariable(scope: Construct): TerraformVariable {
  const variable = new TerraformVariable(scope, 'variable', {
    type: VariableType.NUMBER,
    nullable: false,
    default: 0,
    description: `Number of clusters in the mesh, 1 to ${MAX_CLUSTERS}.`,
  });
  variable.overrideLogicalId('clusters');
  variable.addValidation({
    condition: template(
      `floor(var.clusters) == var.clusters && var.clusters >= 0 && var.clusters <= ${MAX_CLUSTERS}`,
    ),
    errorMessage: `clusters must be a whole number from 1 to ${MAX_CLUSTERS} (Cilium numbers clusters with one byte).`,
  });
  return variable;
}

function declareMap(scope: Construct): string {
  const map = new TerraformLocal(
    scope,
    'map',
    template(
      `{ for i in range(1, var.clusters + 1) : format("mesh-%03d", i) => { ${ADDRESSES} } }`,
    ),
  );
  map.overrideLogicalId('clusters');
  return map.expression as string;
}
