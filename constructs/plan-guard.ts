import type { PlanCondition } from './cluster-set.js';
import { Construct, DataResource } from './cdk.js';
import { template } from './expressions.js';

/**
 * A resource that holds nothing but conditions: when one is not met, Terraform refuses the plan with
 * its text, before anything is changed.
 */
export class PlanGuard extends Construct {
  private readonly conditions: PlanCondition[] = [];
  private readonly resource: DataResource;

  /** @param name - its Terraform name */
  constructor(scope: Construct, id: string, name: string) {
    super(scope, id);
    this.resource = new DataResource(this, 'resource');
    this.resource.overrideLogicalId(name);
  }

  require(condition: PlanCondition): void {
    this.conditions.push(condition);
    this.resource.lifecycle = {
      precondition: this.conditions.map((each) => ({
        condition: template(each.condition),
        errorMessage: each.message,
      })),
    };
  }
}
