import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { withTerraformWorld } from '../../helpers/terraform/terraform-world.js';

jest.setTimeout(300_000);

describe('a plan', () => {
  it('fails without a number of clusters, at once and without asking', async () => {
    await withTerraformWorld(async (world) => {
      const { code, text } = await world.terraform('apply', '-auto-approve');
      expect(code).toBe(1);
      expect(flat(text)).toContain(
        'The number of clusters was not given. Say it with --var clusters=N (1 to 255), or set TF_VAR_clusters. Nothing was changed.',
      );
      expect(world.cloud.size).toBe(0);
    });
  });

  it.each(['256', '-1', '2.5'])('fails for %s clusters', async (clusters) => {
    await withTerraformWorld(async (world) => {
      const { code, text } = await world.terraform('plan', `-var=clusters=${clusters}`);
      expect(code).toBe(1);
      expect(flat(text)).toContain('clusters must be a whole number from 1 to 255');
    });
  });

  it('fails beyond the ceiling of peerings, with the reason and the way on', async () => {
    await withTerraformWorld(async (world) => {
      const { code, text } = await world.terraform('plan', '-var=clusters=41');
      expect(code).toBe(1);
      expect(flat(text)).toContain(
        "41 clusters are more than the network mode peering can hold (40): Terraform's own time on N*(N-1) peerings grows like N^4. To mesh more, use the network mode shared-vnet or virtual-network-manager.",
      );
    });
  });

  it('fails when a shared VNet has too few addresses, with the arithmetic', async () => {
    await withTerraformWorld(
      async (world) => {
        const { code, text } = await world.terraform('plan', '-var=clusters=95');
        expect(code).toBe(1);
        expect(flat(text)).toContain(
          '95 clusters need 65930 private addresses, more than the 65536 of a VNet: 1995 nodes with 1 address for the node and 32 for 24 planned pods (batches of 16), and 1 load balancer per cluster.',
        );
      },
      { network: 'shared-vnet', preset: 'full' },
    );
  });

  it('fails for more VNets than a connected group holds', async () => {
    await withTerraformWorld(
      async (world) => {
        const { code, text } = await world.terraform('plan', '-var=clusters=251');
        expect(code).toBe(1);
        expect(flat(text)).toContain('virtual-network-manager can hold (250)');
      },
      { network: 'virtual-network-manager' },
    );
  });

  it('fails on an argument that the provider does not have, and on one that is missing', async () => {
    await withTerraformWorld(async (world) => {
      const file = join(world.place.folder, 'cdk.tf.json');
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace('"sku_tier"', '"sku_teer"'));
      const unknown = await world.terraform('validate');
      expect(flat(unknown.text)).toContain('No argument or block type is named "sku_teer"');
      await writeFile(file, text.replaceAll('"vm_size": "Standard_D8s_v5",', ''));
      const optional = await world.terraform('validate');
      expect(optional.code).toBe(0);
      await writeFile(file, text.replace('"address_space"', '"//"'));
      await writeFile(file, text.replace(/"remote_virtual_network_id": "[^"]*",/, ''));
      const missing = await world.terraform('validate');
      expect(flat(missing.text)).toContain('The argument "remote_virtual_network_id" is required');
      await writeFile(file, text);
      expect(await world.terraform('validate')).toMatchObject({ code: 0 });
    });
  });
});

/** Terraform wraps its text in boxes. */
function flat(text: string): string {
  return text.replaceAll(/[│╷╵]/g, ' ').replaceAll(/\s+/g, ' ');
}
