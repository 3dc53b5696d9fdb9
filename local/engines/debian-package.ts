import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDirectory } from '../../workload/platform/files.js';
import type { ShortResult } from '../../workload/platform/processes.js';
import { removeFolder } from './cache.js';
import { fileSha256 } from './checksum.js';
import type { EngineContext } from './engine-context.js';
import { programsOnPath } from './find-outside.js';
import { withHeartbeat } from './heartbeat.js';
import type { Filled } from './install-steps.js';
import type { EngineRecipe } from './recipe.js';

/** Unpacked, or why the package could not be had; another way is tried then. */
export type PackageResult =
  | { readonly state: 'filled'; readonly filled: Filled }
  | { readonly state: 'not-possible'; readonly why: string };

/** True where `apt-get` and `dpkg-deb` are: Debian, Ubuntu and what descends from them. */
export async function hasApt(env: EngineContext['env']): Promise<boolean> {
  const found = await Promise.all(['apt-get', 'dpkg-deb'].map((name) => programsOnPath(name, env)));
  return found.every((paths) => paths.length > 0);
}

/**
 * Fetches a Debian package with apt, which checks its signature, and takes the program out of it.
 * Needs no rights and changes nothing of the system: lists and cache are our own, nothing is
 * installed, and hooks of the system's configuration (images often delete caches in one) don't run.
 */
export async function unpackDebianPackage(
  recipe: EngineRecipe & { readonly debianPackage: string },
  folder: string,
  context: EngineContext,
): Promise<PackageResult> {
  const deed = { subject: recipe.name, text: `fetching Debian's package ${recipe.debianPackage}` };
  const work = join(folder, 'apt');
  try {
    return await withHeartbeat(deed, context, async () => {
      await prepareApt(work);
      const failure = await fetchPackage(recipe.debianPackage, work, context);
      if (failure !== undefined) return { state: 'not-possible', why: failure };
      return await takeProgram(recipe, folder, work, context);
    });
  } finally {
    await removeFolder(work);
  }
}

/** First with the lists that the system has; with fresh ones of our own when that fails. */
async function fetchPackage(
  name: string,
  work: string,
  context: EngineContext,
): Promise<string | undefined> {
  const apt = (...args: readonly string[]) => runIn(work, 'apt-get', ['-q', ...args], context);
  const ours = ['-c', join(work, 'apt.conf')];
  const cacheOnly = ['-o', `Dir::Cache=${join(work, 'cache')}`];
  if (succeeded(await apt(...cacheOnly, 'download', name))) return undefined;
  await apt(...ours, 'update'); // one broken source of several is no reason to stop
  const fresh = await apt(...ours, 'download', name);
  return succeeded(fresh) ? undefined : `apt-get download ${name}: ${lastLines(fresh)}`;
}

async function prepareApt(work: string): Promise<void> {
  const folders = ['state/lists/partial', 'cache/archives/partial'].map((path) => join(work, path));
  await Promise.all(folders.map((folder) => ensureDirectory(folder)));
  const configuration = [
    `Dir::State "${join(work, 'state')}";`,
    `Dir::Cache "${join(work, 'cache')}";`,
    ...['Pre-Invoke', 'Post-Invoke', 'Post-Invoke-Success'].map(
      (hook) => `#clear APT::Update::${hook};`,
    ),
  ];
  await writeFile(join(work, 'apt.conf'), `${configuration.join('\n')}\n`);
}

async function takeProgram(
  recipe: EngineRecipe & { readonly debianPackage: string },
  folder: string,
  work: string,
  context: EngineContext,
): Promise<PackageResult> {
  const file = (await readdir(work)).find((name) => name.endsWith('.deb'));
  if (file === undefined) return { state: 'not-possible', why: 'apt-get fetched no file' };
  const unpacked = await runIn(work, 'dpkg-deb', ['-x', file, 'root'], context);
  if (!succeeded(unpacked)) {
    return { state: 'not-possible', why: `dpkg-deb -x ${file}: ${lastLines(unpacked)}` };
  }
  await rename(join(work, 'root/usr/bin', recipe.name), join(folder, recipe.name));
  const key = await fileSha256(join(work, file));
  return { state: 'filled', filled: { source: 'package', key, origin: file } };
}

function runIn(
  work: string,
  command: string,
  args: readonly string[],
  context: EngineContext,
): Promise<ShortResult> {
  const env = { ...context.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  return context.processes.run({ command, args, cwd: work, env, signal: context.signal });
}

function succeeded(result: ShortResult): boolean {
  return result.state === 'ended' && result.exitCode === 0;
}

function lastLines(result: ShortResult): string {
  if (result.state === 'not-found') return 'not found';
  return result.stderr.trimEnd().split('\n').slice(-3).join('; ');
}
