import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import { RetiredFleetMesh } from '../../constructs/retired-fleet-mesh.js';
import { synthesize } from '../helpers/terraform/synthesized.js';
import { withTerraformWorld } from '../helpers/terraform/terraform-world.js';

jest.setTimeout(180_000);

const terraformJson = z.looseObject({
  resource: z.looseObject({
    null_resource: z.record(z.string(), z.unknown()),
    azurerm_kubernetes_fleet_member: z.unknown().optional(),
  }),
});

describe('a mesh that is taken out of the code', () => {
  it('is drained first when RetiredFleetMesh stands in its place', async () => {
    await withTerraformWorld(async (world) => {
      expect(await world.apply(3)).toMatchObject({ code: 0 });
      world.events();
      const file = join(world.place.folder, 'cdk.tf.json');
      await writeFile(file, withoutMesh(await readFile(file, 'utf8')));
      expect(await world.apply(3)).toMatchObject({ code: 0 });
      const events = world.events();
      expect(events[0]).toBe('drain');
      expect(events.filter((line) => line.startsWith('delete'))).toHaveLength(3);
      expect(events).not.toContainEqual(expect.stringContaining('VIOLATION'));
      expect(world.mesh.attached).toEqual([]);
      expect(await world.destroy()).toMatchObject({ code: 0 });
      expect(world.cloud.size).toBe(0);
    });
  });
});

/** The stack as it would be synthesized with RetiredFleetMesh instead of FleetMesh. */
function withoutMesh(text: string): string {
  const terraform = terraformJson.parse(JSON.parse(text));
  const handler = /\$\{path\.module\}\/assets\/[^"]+\.mjs/.exec(text)?.[0] ?? '';
  const { null_resource, ...resources } = terraform.resource;
  delete resources.azurerm_kubernetes_fleet_member;
  const kept = Object.entries(null_resource).filter(([name]) => !name.startsWith('fleet_mesh_'));
  const { removed } = synthesize((stack) => new RetiredFleetMesh(stack, 'fleet-mesh'));
  const blocks = JSON.stringify(removed).replaceAll(
    /\$\{path\.module\}\/assets\/[^"]+\.mjs/g,
    () => handler,
  );
  const retired: unknown = {
    ...terraform,
    resource: { ...resources, null_resource: Object.fromEntries(kept) },
    removed: JSON.parse(blocks) as unknown,
  };
  return JSON.stringify(retired);
}
