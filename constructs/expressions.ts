import type { TerraformResource, Construct } from './cdk.js';
import { TerraformStack } from './cdk.js';

/**
 * A bare Terraform expression such as `each.key` or `local.clusters`: {@link template} makes a
 * string value of it. Kept bare so that expressions can be put into each other.
 */
export type Expression = string;

/** `${…}` around a bare expression: what stands in an argument. */
export function template(expression: Expression): string {
  return '${' + expression + '}';
}

/** A text as a Terraform string literal, with quotes; `${` inside is not evaluated. */
export function literal(text: string): Expression {
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
}

/** `azurerm_subnet.mesh_nodes`: the address of a resource without any attribute. */
export function addressOf(resource: TerraformResource): Expression {
  return `${resource.terraformResourceType}.${resource.friendlyUniqueId}`;
}

/**
 * An attribute of a resource, of the instance with `role` when the resource is a keyed set.
 *
 * Written out because `resource.id` of a `for_each` resource renders a splat (`….*.id`), which is
 * wrong on a map and which only `terraform plan` notices.
 */
export function attributeOf(
  resource: TerraformResource,
  attribute: string,
  role: Expression,
): Expression {
  const keyed = resource.forEach !== undefined;
  return `${addressOf(resource)}${keyed ? `[${role}]` : ''}.${attribute}`;
}

/**
 * Gives a Terraform element the name `<path of constructs>_<part>` without the hash that cdktf adds:
 * state addresses are an interface (people type them behind `-target`, and a changed one destroys
 * what it named). The ids of the constructs make them unique.
 */
export function stableName(scope: Construct, part?: string): string {
  const { path } = scope.node;
  const inside = path.slice(TerraformStack.of(scope).node.path.length + 1);
  return [...inside.split('/'), part]
    .filter((word) => word !== undefined && word !== '')
    .join('_')
    .replaceAll('-', '_');
}
