import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { withTemporaryFolder } from '../helpers/temporary-folder.js';

jest.setTimeout(600_000);

const root = process.cwd();

/** The same framework under its new name. `cdktn` is there twice as its provider asks for it by name. */
const ALIASES = {
  cdktf: 'npm:cdktn@0.24.0',
  cdktn: '0.24.0',
  '@cdktf/provider-azurerm': 'npm:@cdktn/provider-azurerm@16.1.0',
  // Not published for cdktn; the one of cdktf asks for `cdktf`, which is cdktn here.
  '@cdktf/provider-null': '11.0.1',
  constructs: '10.6.0',
};
const SOURCES = ['constructs', 'model', 'stacks', 'main.ts', 'tsconfig.json'];
const FROM_HERE = ['zod', 'ipaddr.js', 'yaml', 'tsx'];

const problem = registryProblem();
const test = problem === undefined ? it : it.skip;

describe('the same sources on cdktn', () => {
  test(`synthesize the same Terraform, but for versions${problem ?? ''}`, async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'package.json'), packageJson());
      run(folder, 'npm', 'install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent');
      for (const name of SOURCES)
        await cp(join(root, name), join(folder, name), { recursive: true });
      for (const name of FROM_HERE) {
        await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
      }
      const sibling = join(folder, 'sibling');
      await mkdir(sibling);
      for (const name of SOURCES)
        await cp(join(root, name), join(sibling, name), { recursive: true });
      await symlink(join(root, 'node_modules'), join(sibling, 'node_modules'));
      expect(await synthesized(folder)).toEqual(await synthesized(sibling));
    });
  });
});

function packageJson(): string {
  return JSON.stringify({ name: 'app', type: 'module', private: true, dependencies: ALIASES });
}

/** The Terraform that `main.ts` writes in a project, without what must differ. */
async function synthesized(project: string): Promise<unknown> {
  const handler = join(project, 'handler.mjs');
  await writeFile(handler, '');
  const context = { meshscale: { handlerFile: handler } };
  await writeFile(join(project, 'cdktf.json'), JSON.stringify({ context }));
  run(project, process.execPath, '--import', 'tsx', 'main.ts');
  const text = await readFile(join(project, 'cdktf.out/stacks/mesh/cdk.tf.json'), 'utf8');
  return JSON.parse(text, (name, value: unknown) => (DIFFERENT.includes(name) ? '' : value));
}

/** Of the framework and of the provider. */
const DIFFERENT = ['version', '//'];

function run(cwd: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd, stdio: 'pipe' });
}

/** Why the packages cannot be had here; undefined when they can. */
function registryProblem(): string | undefined {
  try {
    run(
      root,
      'npm',
      'view',
      'cdktn@0.24.0',
      'version',
      '--fetch-retries=0',
      '--fetch-timeout=10000',
    );
    return undefined;
  } catch {
    return ' (skipped: npm cannot reach a registry that has cdktn 0.24.0)';
  }
}
