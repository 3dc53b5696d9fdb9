import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startAzureWorld, type AzureWorld } from '../../sim/azurerm-provider/azure-world.js';
import { breachesOf } from '../../sim/fleet-service/check-service.js';
import { cdktfProject, type CdktfProject } from '../helpers/terraform/cdktf-cli.js';

jest.setTimeout(300_000);

// One mesh through its whole life, so the tests build on each other, in this order.
describe('the cdktf CLI, with the real handler and a Fleet service', () => {
  let folder: string;
  let azure: AzureWorld;
  let project: CdktfProject;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ms-cli-'));
    const handler = join(folder, 'fleet-drain.mjs');
    execFileSync('node', ['scripts/build-handler.js', handler]);
    azure = await startAzureWorld({ folder, idle: () => pass(25), secret: 'secret-of-the-test' });
    project = await cdktfProject(join(folder, 'app'), handler, azure.environment);
  });

  afterAll(async () => {
    await azure.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('synthesizes without a number of clusters', async () => {
    const { code, text } = await project.cdktf('synth');
    expect(text).toContain('Generated Terraform code for the stacks: mesh');
    expect(code).toBe(0);
  });

  it('shows what a deploy would do and does nothing', async () => {
    const { code, text } = await project.cdktf('diff', '--var', 'clusters=3');
    expect(text).toMatch(/Plan: \d+ to add, 0 to change, 0 to destroy/);
    expect(code).toBe(0);
    expect(azure.cloud.size).toBe(0);
  });

  it('deploys 3 clusters, grows to 5 and shrinks to 2', async () => {
    await deploy('--var', 'clusters=3');
    expect(azure.attached()).toEqual(['mesh-001', 'mesh-002', 'mesh-003']);
    const before = azure.cloud.events.length;
    await deploy('--var', 'clusters=5');
    expect(azure.attached()).toHaveLength(5);
    expect(azure.cloud.events.slice(before)).not.toContainEqual(
      expect.stringMatching(/^(update|delete)/),
    );
    await deploy('--var', 'clusters=2');
    expect(azure.attached()).toEqual(['mesh-001', 'mesh-002']);
    expect(azure.cloud.ids('azurerm_kubernetes_cluster')).toHaveLength(2);
  });

  it('fails without a number of clusters while planning, and changes nothing', async () => {
    const before = azure.cloud.events.length;
    // `deploy` loses the end of a long output of Terraform, and the reason with it; `diff` does not.
    expect((await project.cdktf('deploy', '--auto-approve')).code).toBe(1);
    const { code, text } = await project.cdktf('diff');
    expect(flat(text)).toContain(
      'The number of clusters was not given. Say it with --var clusters=N',
    );
    expect(code).toBe(1);
    expect(azure.cloud.events.slice(before)).toEqual([]);
    expect(azure.attached()).toHaveLength(2);
  });

  it.each([
    ['300', '300 clusters need 208200 private addresses, more than the 128000'],
    ['41', '41 clusters are more than the network mode peering can hold (40)'],
  ])('fails for %s clusters before planning, and changes nothing', async (clusters, says) => {
    const before = azure.cloud.events.length;
    const asked = ['--auto-approve', '--var', `clusters=${clusters}`];
    const { code, text } = await project.cdktf('deploy', ...asked);
    expect(flat(text)).toContain(says);
    expect(code).toBe(1);
    expect(azure.cloud.events.slice(before)).toEqual([]);
  });

  it('fails at once where nobody can approve, instead of waiting', async () => {
    const before = azure.cloud.events.length;
    expect((await project.cdktf('deploy', '--var', 'clusters=3')).code).toBe(1);
    expect(azure.cloud.events.slice(before)).toEqual([]);
  });

  it('has nothing to do when the number is the same', async () => {
    const { code, text } = await project.cdktf('deploy', '--auto-approve', '--var', 'clusters=2');
    expect(flat(text)).toContain('0 added, 0 changed, 0 destroyed');
    expect(code).toBe(0);
  });

  it('destroys everything without being told a number', async () => {
    const { code, text } = await project.cdktf('destroy', '--auto-approve');
    expect(text).toContain('Destroy complete!');
    expect(code).toBe(0);
    expect(azure.cloud.size).toBe(0);
    expect(azure.cloud.events.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
    expect(breachesOf(azure.service.state)).toEqual([]);
  });

  async function deploy(...args: readonly string[]): Promise<void> {
    const { code, text } = await project.cdktf('deploy', '--auto-approve', ...args);
    expect(text).not.toContain('secret-of-the-test');
    expect({ code, text }).toMatchObject({ code: 0 });
  }
});

/** Terraform wraps its text in boxes, and the CLI puts the name of the stack before each. */
function flat(text: string): string {
  return text.replaceAll(/mesh {2}|[│╷╵]/g, ' ').replaceAll(/\s+/g, ' ');
}
