import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../../model/quantity.js';
import { errorCode, readIfThere, writeAtomic } from '../../workload/platform/files.js';
import { MANIFEST_FILE, parseManifest, type CacheManifest } from './cache-manifest.js';
import { fileSha256 } from './checksum.js';

/**
 * The cache on disk:
 *
 *     <cacheDir>/engines/store/<name>/<version>-<source>-<key>/{<binary>,manifest.json}
 *     <cacheDir>/engines/partial/<name>~<random>/                        an install that is under way
 *     <cacheDir>/engines/locks/<name>.lock                       one installer per engine
 */
export function cachePaths(cacheDir: string) {
  const engines = join(cacheDir, 'engines');
  return {
    engines,
    store: join(engines, 'store'),
    partial: join(engines, 'partial'),
    locks: join(engines, 'locks'),
  } as const;
}

/** A folder of the store. Without a manifest it is damaged or of another version. */
export interface CacheEntry {
  readonly name: string;
  readonly directory: string;
  readonly manifest: CacheManifest | undefined;
}

/** The binary of an entry. */
export function binaryOf(entry: CacheEntry & { readonly manifest: CacheManifest }): string {
  return join(entry.directory, entry.manifest.file);
}

/** Every entry of one engine, or of all; newest first. Empty without a cache. */
export async function listEntries(cacheDir: string, name?: string): Promise<readonly CacheEntry[]> {
  const { store } = cachePaths(cacheDir);
  const names = name === undefined ? await namesIn(store) : [name];
  const entries = await Promise.all(
    names.map(async (engine) => {
      const folders = await namesIn(join(store, engine));
      return Promise.all(folders.map((folder) => readEntry(engine, join(store, engine, folder))));
    }),
  );
  return entries.flat().sort((a, b) => installedAt(b).localeCompare(installedAt(a)));
}

/**
 * Whether an entry's binary is what was stored. Usually by size and time of change alone; `thorough`
 * reads all of it, as does a changed time (a cache that was copied is still good).
 */
export async function isIntact(
  entry: CacheEntry,
  thoroughness: 'quick' | 'thorough' = 'quick',
): Promise<boolean> {
  const { manifest } = entry;
  if (manifest === undefined) return false;
  const file = binaryOf({ ...entry, manifest });
  const facts = await statIfThere(file);
  if (facts?.size !== manifest.size || (facts.mode & 0o100) === 0) return false;
  const untouched = facts.mtimeMs === manifest.modified;
  if (untouched && thoroughness === 'quick') return true;
  if ((await fileSha256(file)) !== manifest.sha256) return false;
  if (!untouched) await rememberTime(entry.directory, { ...manifest, modified: facts.mtimeMs });
  return true;
}

/** Bytes of all files below a folder; 0 without one. */
export async function sizeOf(directory: string): Promise<Bytes> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    emptyWithoutFolder,
  );
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async (file) => (await statIfThere(join(file.parentPath, file.name)))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes a folder with all in it. */
export async function removeFolder(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/** Names in a folder, sorted; empty without one. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(emptyWithoutFolder)).sort();
}

async function readEntry(name: string, directory: string): Promise<CacheEntry> {
  const text = await readIfThere(join(directory, MANIFEST_FILE)).catch(undefinedWithoutFolder);
  return { name, directory, manifest: text === undefined ? undefined : parseManifest(text) };
}

function installedAt(entry: CacheEntry): string {
  return entry.manifest?.installedAt ?? '';
}

/** Only saves the next look some work: a cache that we may not write is no reason to fail. */
async function rememberTime(directory: string, manifest: CacheManifest): Promise<void> {
  await writeAtomic(join(directory, MANIFEST_FILE), JSON.stringify(manifest)).catch(
    () => undefined,
  );
}

async function statIfThere(file: string) {
  return stat(file).catch(undefinedWithoutFolder);
}

function undefinedWithoutFolder(error: unknown): undefined {
  if (isAbsence(error)) return undefined;
  throw error;
}

function emptyWithoutFolder(error: unknown): never[] {
  if (isAbsence(error)) return [];
  throw error;
}

/** ENOTDIR: a file stands where the folder should be, so nothing is in it. */
function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
}
