import { describe, expect, it, jest } from '@jest/globals';
import { addressPlan } from '../../../model/address-plan.js';
import { clusterRoles } from '../../../model/cluster-identity.js';
import { golden } from '../../helpers/golden-file.js';
import { runTerraform } from '../../helpers/terraform/run-terraform.js';
import { synthesizedText } from '../../helpers/terraform/synthesized.js';
import { terraformBinary } from '../../helpers/terraform/terraform-binary.js';
import { withTerraformWorld } from '../../helpers/terraform/terraform-world.js';

jest.setTimeout(300_000);

/** Whatever configuration a user has could add warnings to what is printed. */
const NO_CONFIGURATION = { TF_CLI_CONFIG_FILE: '/dev/null' };

const MODES = ['peering', 'shared-vnet', 'virtual-network-manager'];

describe('the mesh stack, synthesized', () => {
  it.each(MODES)('is in mode %s the Terraform that was looked at', async (network) => {
    const text = synthesizedText({ network });
    expect(text).toBe(await golden(`terraform/mesh-${network}.tf.json`, text));
  });

  it.each(MODES)('is in mode %s the HCL that was looked at', async (network) => {
    const place = { program: terraformBinary(), folder: '.', environment: NO_CONFIGURATION };
    const hcl = synthesizedText({ network }, 'hcl');
    const { code, text } = await runTerraform(place, ['fmt', '-'], hcl);
    expect(code).toBe(0);
    expect(text).toBe(await golden(`terraform/mesh-${network}.tf`, text));
  });
});

describe('the addresses that Terraform computes', () => {
  it.each([2, 20, 100, 250])('for %i clusters are those of the address plan', async (count) => {
    await withTerraformWorld(
      async (world) => {
        const { text } = await runTerraform(
          world.place,
          ['console', `-var=clusters=${count}`],
          ADDRESSES,
        );
        const inventory = `${text.replaceAll(/^EOT$|^<<EOT$/gm, '').trim()}\n`;
        const plan = clusterRoles(count).map((role, index) => {
          const { vnet, nodes, pods, services, dnsServiceIp } = addressPlan(index + 1);
          return [role, vnet, nodes, pods, services, dnsServiceIp].join(' ');
        });
        expect(inventory.trim().split('\n')).toEqual(plan);
        expect(inventory).toBe(await golden(`terraform/addresses-${count}.txt`, inventory));
      },
      { network: 'shared-vnet' },
    );
  });
});

const ADDRESSES =
  'join("\\n", [for role, c in local.clusters : join(" ", [role, c.vnet, c.nodes, c.pods, c.services, c.dns_service_ip])])\n';
