import { chmod, mkdtemp, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../workload/platform/clock.js';
import { ensureDirectory, writeAtomic } from '../../workload/platform/files.js';
import { cachePaths, namesIn, removeFolder } from './cache.js';
import { MANIFEST_FILE, type CacheManifest } from './cache-manifest.js';
import { fileSha256 } from './checksum.js';
import type { EngineName } from './engine-names.js';

/**
 * A new folder that an install fills. Only the holder of the engine's lock may make one, so whoever
 * holds the lock later knows that all those folders are leftovers.
 */
export async function openPartial(cacheDir: string, name: EngineName): Promise<string> {
  const { partial } = cachePaths(cacheDir);
  await ensureDirectory(partial);
  return mkdtemp(join(partial, `${name}~`));
}

/** What an install says of the binary that it has put into its folder. */
export type InstalledFacts = Pick<
  CacheManifest,
  'engine' | 'version' | 'source' | 'key' | 'platform' | 'file' | 'origin'
>;

/**
 * Makes the folder of an install an entry of the store, in one step: whoever looks sees the whole
 * entry or none. Gives the binary's final path.
 */
export async function commitPartial(
  cacheDir: string,
  partial: string,
  facts: InstalledFacts,
  clock: Clock,
): Promise<string> {
  const binary = join(partial, facts.file);
  await chmod(binary, 0o755);
  await flush(binary);
  const { size, mtimeMs } = await stat(binary);
  const manifest: CacheManifest = {
    schemaVersion: 1,
    ...facts,
    sha256: await fileSha256(binary),
    size,
    modified: mtimeMs,
    installedAt: new Date(clock.now()).toISOString(),
  };
  await writeAtomic(join(partial, MANIFEST_FILE), JSON.stringify(manifest, undefined, 2));
  const entry = join(
    cachePaths(cacheDir).store,
    facts.engine,
    `${facts.version.replaceAll(/[^\w.+-]/g, '_')}-${facts.source}-${facts.key.slice(0, 16)}`,
  );
  await ensureDirectory(dirname(entry));
  await removeFolder(entry); // the same content again: the old one was found corrupt
  await rename(partial, entry);
  return join(entry, facts.file);
}

/** Removes what dead installers of an engine left. Needs its lock. Gives the folders. */
export async function sweepPartials(
  cacheDir: string,
  name: EngineName,
): Promise<readonly string[]> {
  const { partial } = cachePaths(cacheDir);
  const left = (await namesIn(partial)).filter((folder) => folder.startsWith(`${name}~`));
  const folders = left.map((folder) => join(partial, folder));
  await Promise.all(folders.map(removeFolder));
  return folders;
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
