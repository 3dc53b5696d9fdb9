import { describe, expect, it, jest } from '@jest/globals';
import { startStandIn } from '../../../sim/azurerm-provider/stand-in.js';
import { BootstrapStack } from '../../../stacks/bootstrap-stack.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';
import { MeshModel } from '../../helpers/terraform/mesh-model.js';
import { runTerraform } from '../../helpers/terraform/run-terraform.js';
import { initializeStack } from '../../helpers/terraform/terraform-world.js';

jest.setTimeout(120_000);

const ID = '1b6a0000-0000-4000-8000-000000000001';
const GIVEN = [`-var=principal_id=${ID}`, `-var=subscription_id=${ID}`];

describe('the bootstrap stack under a real terraform', () => {
  it('fails without its variables at once, and is made and destroyed with and without them', async () => {
    await withTemporaryFolder(async (folder) => {
      const standIn = await startStandIn({ folder, fleet: new MeshModel() });
      const { cloud, environment } = standIn;
      try {
        const place = await initializeStack(
          folder,
          environment,
          (app) => new BootstrapStack(app, 'bootstrap', { backend: { kind: 'local' } }),
        );
        const forgotten = await runTerraform(place, ['apply', '-auto-approve']);
        expect(forgotten.code).toBe(1);
        const says = forgotten.text.replaceAll(/[│╷╵]|\s+/g, ' ').replaceAll(/ +/g, ' ');
        expect(says).toContain('say it with --var principal_id=ID');
        expect(says).toContain('say it with --var subscription_id=ID');
        expect(cloud.size).toBe(0);
        expect(await runTerraform(place, ['apply', '-auto-approve', ...GIVEN])).toMatchObject({
          code: 0,
        });
        expect(cloud.ids('azurerm_role_assignment')).toEqual([
          expect.stringContaining(`/subscriptions/${ID}/providers/microsoft.authorization/`),
        ]);
        expect(await runTerraform(place, ['destroy', '-auto-approve'])).toMatchObject({ code: 0 });
        expect(cloud.size).toBe(0);
      } finally {
        standIn.stop();
      }
    });
  });
});
