import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { inventorySchema } from '../../model/inventory.js';
import { startAzureWorld } from '../../sim/azurerm-provider/azure-world.js';
import { breachesOf } from '../../sim/fleet-service/check-service.js';
import { withTemporaryFolder } from '../helpers/temporary-folder.js';
import { initializeMesh } from '../helpers/terraform/terraform-world.js';
import { runTerraform } from '../helpers/terraform/run-terraform.js';

jest.setTimeout(300_000);

describe('the mesh stack with the real handler and a Fleet service', () => {
  it('grows, shrinks and is destroyed, and its output is an inventory', async () => {
    await withTemporaryFolder(async (folder) => {
      const handlerFile = join(folder, 'fleet-drain.mjs');
      execFileSync('node', ['scripts/build-handler.js', handlerFile]);
      const secret = 'secret-of-the-test';
      const azure = await startAzureWorld({ folder, idle: () => pass(25), secret });
      try {
        const place = await initializeMesh(folder, azure.environment, { handlerFile });
        const apply = (clusters: number) =>
          runTerraform(place, [
            'apply',
            '-input=false',
            '-auto-approve',
            `-var=clusters=${clusters}`,
          ]);
        expect(await apply(3)).toMatchObject({ code: 0 });
        expect(azure.attached()).toEqual(['mesh-001', 'mesh-002', 'mesh-003']);
        const output = await runTerraform(place, ['output', '-json', 'inventory']);
        const inventory = inventorySchema.parse(JSON.parse(output.text));
        expect(inventory).toMatchObject({ expectedClusters: 3, partial: false });
        expect(await apply(5)).toMatchObject({ code: 0 });
        expect(azure.attached()).toHaveLength(5);
        expect(await apply(2)).toMatchObject({ code: 0 });
        expect(azure.attached()).toEqual(['mesh-001', 'mesh-002']);
        const gone = await runTerraform(place, ['destroy', '-input=false', '-auto-approve']);
        expect(gone).toMatchObject({ code: 0 });
        expect(gone.text).not.toContain(secret);
        expect(azure.cloud.size).toBe(0);
        expect(azure.cloud.events.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
        expect(breachesOf(azure.service.state)).toEqual([]);
      } finally {
        await azure.stop();
      }
    });
  });
});
