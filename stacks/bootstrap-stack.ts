import { TerraformStack, TerraformVariable, VariableType } from '../constructs/cdk.js';
import type { Construct } from '../constructs/cdk.js';
import { template, type Expression } from '../constructs/expressions.js';
import { PlanGuard } from '../constructs/plan-guard.js';
import { AzurermProvider, RoleAssignment } from '../constructs/providers.js';
import { declareBackend } from './backend.js';
import type { BackendSettings } from './backend.js';

/** Role by which a pipeline may give roles. */
const ROLE_ADMINISTRATOR = 'Role Based Access Control Administrator';
/** Id of the role Network Contributor, the same in every tenant. */
const NETWORK_CONTRIBUTOR_ID = '4d97b98b-1d4f-4787-a291-c67834d212e7';

/** What the rights are for. */
export interface BootstrapStackProps {
  readonly backend: BackendSettings;
}

/**
 * Rights for the principal of a pipeline, deployed once by somebody who may give them: it may give
 * and take the role Network Contributor, which every cluster's identity gets on its VNet, and no
 * other role. Not tried on Azure by this project.
 */
export class BootstrapStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: BootstrapStackProps) {
    super(scope, id);
    declareBackend(this, props.backend);
    new AzurermProvider(this, 'azurerm', { features: [{}] });
    const guard = new PlanGuard(this, 'guard', 'given');
    const principal = this.id('principal_id', 'Object id of the principal of the pipeline', guard);
    const subscription = this.id('subscription_id', 'Subscription that it deploys to', guard);
    const rights = new RoleAssignment(this, 'rights', {
      scope: `/subscriptions/${template(subscription)}`,
      roleDefinitionName: ROLE_ADMINISTRATOR,
      principalId: template(principal),
      conditionVersion: '2.0',
      condition: onlyNetworkContributor(),
      description: 'Lets meshscale give Network Contributor to the identities of its clusters.',
    });
    rights.overrideLogicalId('rights');
  }

  /** A variable without a default would have the cdktf CLI wait for input that never comes. */
  private id(name: string, description: string, guard: PlanGuard): Expression {
    const variable = new TerraformVariable(this, name, {
      type: VariableType.STRING,
      nullable: false,
      default: '',
      description: `${description}.`,
    });
    variable.overrideLogicalId(name);
    guard.require({
      condition: `can(regex("^[0-9a-fA-F-]{36}$", var.${name}))`,
      message: `${description}: say it with --var ${name}=ID, a GUID. Nothing was changed.`,
    });
    return `var.${name}`;
  }
}

/** @see Azure "Delegate role assignments with conditions" */
function onlyNetworkContributor(): string {
  const clause = (action: string, attribute: string) =>
    `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR ` +
    `(${attribute}[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ` +
    `ForAnyOfAnyValues:GuidEquals {${NETWORK_CONTRIBUTOR_ID}}))`;
  return `${clause('write', '@Request')} AND ${clause('delete', '@Resource')}`;
}
