import { describe, expect, it } from '@jest/globals';
import { BootstrapStack } from '../../stacks/bootstrap-stack.js';
import { only, synthesizeApp } from '../helpers/terraform/synthesized.js';

const NETWORK_CONTRIBUTOR = '4d97b98b-1d4f-4787-a291-c67834d212e7';

describe('the bootstrap stack', () => {
  const terraform = synthesizeApp(
    (app) => new BootstrapStack(app, 'bootstrap', { backend: { kind: 'local' } }),
  );

  it('lets a principal give and take no role but Network Contributor', () => {
    const { condition, ...rights } = only(terraform, 'azurerm_role_assignment');
    expect(rights).toMatchObject({
      scope: '/subscriptions/${var.subscription_id}',
      principal_id: '${var.principal_id}',
      role_definition_name: 'Role Based Access Control Administrator',
      condition_version: '2.0',
    });
    const roles = String(condition).match(/GuidEquals \{[^}]*\}/g);
    expect(roles).toEqual(Array(2).fill(`GuidEquals {${NETWORK_CONTRIBUTOR}}`));
    expect(condition).toContain("ActionMatches{'Microsoft.Authorization/roleAssignments/write'}");
    expect(condition).toContain("ActionMatches{'Microsoft.Authorization/roleAssignments/delete'}");
    expect(condition).toContain(
      '@Request[Microsoft.Authorization/roleAssignments:RoleDefinitionId]',
    );
    expect(condition).toContain(
      '@Resource[Microsoft.Authorization/roleAssignments:RoleDefinitionId]',
    );
  });

  it('gives its variables a default, as a missing one would wait for input', () => {
    expect(Object.values(terraform.variable ?? {})).toEqual([
      expect.objectContaining({ default: '', nullable: false }),
      expect.objectContaining({ default: '', nullable: false }),
    ]);
  });
});
