import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { inventorySchema } from '../../model/inventory.js';
import { breachesOf } from '../../sim/fleet-service/check-service.js';
import { clientEnvironment } from '../../sim/fleet-service/client-environment.js';
import { serveFleet } from '../../sim/fleet-service/https-server.js';
import { createMovingClock } from '../../sim/fleet-service/moving-clock.js';
import { createFleetService } from '../../sim/fleet-service/service.js';
import { withTemporaryFolder } from '../helpers/temporary-folder.js';
import { runTerraform } from '../helpers/terraform/run-terraform.js';
import { serviceSide } from '../helpers/terraform/service-side.js';
import { onGround } from '../helpers/terraform/terraform-world.js';

jest.setTimeout(300_000);

describe('the mesh stack with the real handler and a Fleet service', () => {
  it('grows, shrinks and is destroyed, and its output is an inventory', async () => {
    await withTemporaryFolder(async (folder) => {
      const handlerFile = join(folder, 'fleet-drain.mjs');
      execFileSync('node', ['scripts/build-handler.js', handlerFile]);
      const clock = createMovingClock(() => pass(25));
      const service = createFleetService(clock);
      const server = await serveFleet(service, clock);
      const ca = join(folder, 'ca.pem');
      await writeFile(ca, server.caPem);
      const environment = {
        MESHSCALE_HOME: folder,
        ...clientEnvironment({ origin: server.origin, caFile: ca }, 'secret-of-the-test'),
      };
      const fleet = serviceSide(service);
      try {
        await onGround(
          { folder, fleet, environment, settings: { handlerFile } },
          async (place, cloud) => {
            const apply = (clusters: number) =>
              runTerraform(place, [
                'apply',
                '-input=false',
                '-auto-approve',
                `-var=clusters=${clusters}`,
              ]);
            expect(await apply(3)).toMatchObject({ code: 0 });
            expect(fleet.attached()).toEqual(['mesh-001', 'mesh-002', 'mesh-003']);
            const output = await runTerraform(place, ['output', '-json', 'inventory']);
            const inventory = inventorySchema.parse(JSON.parse(output.text));
            expect(inventory).toMatchObject({ expectedClusters: 3, partial: false });
            expect(await apply(5)).toMatchObject({ code: 0 });
            expect(fleet.attached()).toHaveLength(5);
            expect(await apply(2)).toMatchObject({ code: 0 });
            expect(fleet.attached()).toEqual(['mesh-001', 'mesh-002']);
            const gone = await runTerraform(place, ['destroy', '-input=false', '-auto-approve']);
            expect(gone).toMatchObject({ code: 0 });
            expect(gone.text).not.toContain('secret-of-the-test');
            expect(cloud.size).toBe(0);
            expect(cloud.events.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
            expect(breachesOf(service.state)).toEqual([]);
          },
        );
      } finally {
        await server.close();
      }
    });
  });
});
