import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { startTerraform, type TerraformResult } from './run-terraform.js';

/** As docs/deploy.md has it: npx takes an installed one of this version, or fetches it. */
const CLI = ['--yes', 'cdktf-cli@0.21.0'];

/** A folder like a checkout of this project, in which the cdktf CLI is run. */
export interface CdktfProject {
  readonly folder: string;
  /** Runs `cdktf …` to its end, with an input that is closed. */
  cdktf(command: string, ...args: readonly string[]): Promise<TerraformResult>;
}

const root = process.cwd();

/**
 * A project whose `cdktf.json` is that of the repository, so that state and `cdktf.out` land in `folder`
 * and the real app and the real command line are used.
 */
export async function cdktfProject(
  folder: string,
  handlerFile: string,
  environment: Readonly<Record<string, string>>,
): Promise<CdktfProject> {
  await mkdir(folder, { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'app', type: 'module' }));
  const shipped = projectFile.parse(JSON.parse(await readFile(join(root, 'cdktf.json'), 'utf8')));
  const { meshscale } = shipped.context;
  const project = {
    ...shipped,
    app: shipped.app.replace('scripts/', join(root, 'scripts/')),
    context: { meshscale: { ...meshscale, handlerFile } },
  };
  await writeFile(join(folder, 'cdktf.json'), JSON.stringify(project));
  // `CI` keeps the CLI from drawing; lock files need the registry, which a test does not have.
  const place = { program: 'npx', folder, environment: { CI: '1', ...environment } };
  return {
    folder,
    cdktf: (command, ...args) => {
      const offline = command === 'synth' ? [] : ['--skip-provider-lock'];
      return startTerraform(place, [...CLI, command, ...offline, ...args]).result;
    },
  };
}

const projectFile = z.looseObject({
  app: z.string(),
  context: z.looseObject({ meshscale: z.record(z.string(), z.unknown()) }),
});
