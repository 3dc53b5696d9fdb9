import { describe, expect, it, jest } from '@jest/globals';
import { withTerraformWorld } from '../helpers/terraform/terraform-world.js';

jest.setTimeout(180_000);

describe('every network mode under a real terraform', () => {
  it.each(['shared-vnet', 'virtual-network-manager', 'peering'])(
    '%s is made, stays as it is, grows, shrinks and is destroyed',
    async (network) => {
      await withTerraformWorld(
        async (world) => {
          expect(await world.apply(2)).toMatchObject({ code: 0 });
          const again = await world.terraform(
            'plan',
            '-input=false',
            '-detailed-exitcode',
            '-var=clusters=2',
          );
          expect(again).toMatchObject({ code: 0 });
          expect(await world.apply(4)).toMatchObject({ code: 0 });
          expect(world.mesh.attached).toHaveLength(4);
          expect(await world.apply(1)).toMatchObject({ code: 0 });
          expect(world.mesh.attached).toEqual([]);
          expect(await world.destroy()).toMatchObject({ code: 0 });
          expect(world.cloud.size).toBe(0);
          expect(world.cloud.events.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
        },
        { network },
      );
    },
  );
});
