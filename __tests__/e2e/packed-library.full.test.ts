import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startStandIn } from '../../sim/azurerm-provider/stand-in.js';
import { withTemporaryFolder } from '../helpers/temporary-folder.js';
import { MeshModel } from '../helpers/terraform/mesh-model.js';
import { runTerraform } from '../helpers/terraform/run-terraform.js';
import { terraformBinary } from '../helpers/terraform/terraform-binary.js';

jest.setTimeout(600_000);

const root = process.cwd();
/** What the library needs at run time; a project would install them. */
const PEERS = ['cdktf', 'constructs', '@cdktf', 'zod', 'ipaddr.js', 'tsx'];

const BODY = `
const app = new App({ outdir: 'out' });
const stack = new TerraformStack(app, 'app');
new AzurermProvider(stack, 'azurerm', { features: [{}] });
new NullProvider(stack, 'null');
const clusters = new constructs.ClusterVariable(stack, 'clusters');
const resourceGroup = { name: 'group', location: 'eastus2euap' };
const mesh = new constructs.MeshCluster(stack, 'mesh', { clusters, resourceGroup, meshName: 'm' });
const network = new constructs.VnetPeeringMesh(stack, 'peering', { clusters: mesh });
const fleet = new constructs.Fleet(stack, 'fleet', { resourceGroup, name: 'm' });
new constructs.FleetMesh(stack, 'fleet-mesh', { clusters: mesh, network, fleet });
let refused;
try {
  const spec = { schemaVersion: 1, name: 'm', region: 'r', clusters: [{ number: 1 }, { number: 1 }] };
  new constructs.ClusterSpec(stack, 'spec', { spec });
} catch (error) {
  refused = model.userErrorsOf(error)[0]?.code;
}
app.synth();
const terraform = JSON.parse(fs.readFileSync('out/stacks/app/cdk.tf.json', 'utf8'));
const found = fs.readdirSync('out/stacks/app/assets', { recursive: true }).find((name) => name.endsWith('.mjs'));
console.log(JSON.stringify({
  sameClass: constructs.MeshCluster === other.MeshCluster,
  refused,
  clusters: Object.keys(terraform.resource.azurerm_kubernetes_cluster),
  handler: 'assets/' + found,
}));
`;

const ES_MODULE = `
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { App, TerraformStack } from 'cdktf';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider/index.js';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import * as constructs from 'meshscale/constructs';
import * as model from 'meshscale/model';
const other = createRequire(import.meta.url)('meshscale/constructs');
${BODY}`;

const COMMON_JS = `
const fs = require('node:fs');
const { App, TerraformStack } = require('cdktf');
const { AzurermProvider } = require('@cdktf/provider-azurerm/lib/provider/index.js');
const { NullProvider } = require('@cdktf/provider-null/lib/provider/index.js');
const constructs = require('meshscale/constructs');
const model = require('meshscale/model');
(async () => {
const other = await import('meshscale/constructs');
${BODY}
})();`;

describe('the packed package', () => {
  beforeAll(() => {
    run(root, 'npm', 'run', '--silent', 'build');
  });

  it.each([
    ['an ES module project', 'module', 'app.mjs', ES_MODULE],
    ['a CommonJS project', 'commonjs', 'app.cjs', COMMON_JS],
  ])('synthesizes a mesh in %s, with one copy of each class', async (_, type, file, app) => {
    await withTemporaryFolder(async (folder) => {
      const project = await projectWith(folder, type);
      await writeFile(join(project, file), app);
      const said = run(project, 'node', file);
      expect(JSON.parse(said)).toEqual({
        sameClass: true,
        refused: 'spec/duplicate-cluster',
        clusters: ['mesh'],
        handler: expect.stringMatching(/^assets\/.*\/fleet-drain\.mjs$/),
      });
    });
  });

  it.each([
    ['existing-vnets', ['-var=clusters=3']],
    ['two-regions', []],
    ['existing-clusters', []],
  ])('synthesizes the example %s, and Terraform plans it', async (example, variables) => {
    await withTemporaryFolder(async (folder) => {
      const project = await projectWith(folder, 'module');
      await copyFile(join(root, 'examples', example, 'main.ts'), join(project, 'main.ts'));
      run(project, 'node', '--import', 'tsx', 'main.ts');
      const standIn = await startStandIn({ folder, fleet: new MeshModel() });
      try {
        await writeFile(join(folder, 'terraformrc'), '');
        const place = {
          program: terraformBinary(),
          folder: join(project, 'cdktf.out', 'stacks', 'mesh'),
          environment: { ...standIn.environment, TF_CLI_CONFIG_FILE: join(folder, 'terraformrc') },
        };
        expect(await runTerraform(place, ['init', '-input=false'])).toMatchObject({ code: 0 });
        const plan = await runTerraform(place, ['plan', '-input=false', ...variables]);
        expect(plan).toMatchObject({ code: 0 });
        expect(plan.text).toContain('to add, 0 to change, 0 to destroy');
      } finally {
        standIn.stop();
      }
    });
  });

  it('runs the example drain-a-mesh as far as its argument', async () => {
    await withTemporaryFolder(async (folder) => {
      const project = await projectWith(folder, 'module');
      await copyFile(join(root, 'examples/drain-a-mesh/main.ts'), join(project, 'main.ts'));
      const { status, stderr } = spawnSync('node', ['--import', 'tsx', 'main.ts', 'no-id'], {
        cwd: project,
        encoding: 'utf8',
      });
      expect(stderr).toContain('fleet/');
      expect(status).not.toBe(0);
    });
  });

  it('passes publint and are-the-types-wrong', async () => {
    await withTemporaryFolder(async (folder) => {
      const tarball = await pack(folder);
      expect(run(root, 'npx', 'publint', '--strict', tarball)).toContain('All good!');
      const doors = ['--entrypoints', 'constructs', 'model'];
      expect(run(root, 'npx', 'attw', tarball, ...doors)).toContain('No problems found');
    });
  });
});

/** An empty project that has the packed package and its peers, as an install would leave it. */
async function projectWith(folder: string, type: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, 'meshscale'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'app', type }));
  const tarball = await pack(folder);
  run(folder, 'tar', 'xzf', tarball, '--strip-components=1', '-C', join(modules, 'meshscale'));
  for (const name of PEERS) await symlink(join(root, 'node_modules', name), join(modules, name));
  return folder;
}

async function pack(folder: string): Promise<string> {
  run(root, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  const name = (await readdir(folder)).find((each) => each.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack made nothing');
  return join(folder, name);
}

function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8' });
}
