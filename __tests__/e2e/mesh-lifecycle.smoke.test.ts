import { describe, expect, it, jest } from '@jest/globals';
import { withTerraformWorld } from '../helpers/terraform/terraform-world.js';

jest.setTimeout(120_000);

describe('the mesh stack under a real terraform', () => {
  it('grows, shrinks and is destroyed without ever deleting a member that is in the mesh', async () => {
    await withTerraformWorld(async (world) => {
      expect(await world.apply(3)).toMatchObject({ code: 0 });
      expect(sorted(world.events())).toEqual([
        'create fleet_manager meshscale',
        ...['001', '002', '003'].map((n) => `create cluster mesh-${n}`),
        ...['001', '002', '003'].map((n) => `create fleet_member mesh-${n}`),
        'ensure mesh-001,mesh-002,mesh-003',
      ]);

      expect((await world.apply(3)).text).toContain('0 added, 0 changed, 0 destroyed');
      expect(world.events()).toEqual([]);

      expect(await world.apply(5)).toMatchObject({ code: 0 });
      expect(sorted(world.events())).toEqual([
        ...['004', '005'].map((n) => `create cluster mesh-${n}`),
        ...['004', '005'].map((n) => `create fleet_member mesh-${n}`),
        'ensure mesh-001,mesh-002,mesh-003,mesh-004,mesh-005',
      ]);

      expect(await world.apply(2)).toMatchObject({ code: 0 });
      expect(sorted(world.events())).toEqual([
        ...['003', '004', '005'].map((n) => `leave mesh-${n}`),
        ...['003', '004', '005'].map((n) => `delete fleet_member mesh-${n}`),
        ...['003', '004', '005'].map((n) => `delete cluster mesh-${n}`),
        'ensure mesh-001,mesh-002',
      ]);

      expect(await world.destroy()).toMatchObject({ code: 0 });
      const gone = world.events();
      expect(gone[0]).toBe('drain');
      expect(gone.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
      expect(world.cloud.size).toBe(0);
    });
  });
});

/** Stages in the order in which they ended; what runs at the same time is sorted. */
function sorted(events: readonly string[]): readonly string[] {
  const short = events.map((line) => line.replace('azurerm_kubernetes_', ''));
  const stages: string[][] = [];
  for (const line of short) {
    const kind = line.replace(/ mesh-\d+$/, '');
    const last = stages.at(-1);
    if (last?.[0]?.replace(/ mesh-\d+$/, '') === kind) last.push(line);
    else stages.push([line]);
  }
  return stages.flatMap((stage) => stage.sort());
}
