import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { EngineContext } from './engine-context.js';
import { badUrl, checksumMismatch, downloadFailed, noReleaseFile } from './errors.js';
import { extractMember } from './extract-member.js';
import { fetchFile, fetchText } from './fetch-file.js';
import { withHeartbeat } from './heartbeat.js';
import type { Filled } from './install-steps.js';
import { platformText } from './platform.js';
import { publishedChecksum } from './published-checksum.js';
import type { EngineRecipe, ReleaseRecipe } from './recipe.js';

/** Fetches an engine's release file into `folder`, checked against its published checksum. */
export async function downloadEngine(
  recipe: EngineRecipe,
  folder: string,
  context: EngineContext,
): Promise<Filled> {
  const release = releaseFor(recipe, context);
  const url = addressOf(release.origin, release.file(context.platform), context);
  const deed = { subject: recipe.name, text: `downloading ${recipe.version}` };
  const key = await withHeartbeat(deed, context, async () => {
    const published = await fetchChecksum(recipe, release, basename(url), context);
    const file = join(folder, 'download');
    const got = await fetchFile(recipe, url, file, context);
    if (got !== published) {
      await rm(file);
      throw checksumMismatch(recipe, url, { got, published });
    }
    await unpack(recipe, release, { file, url, binary: join(folder, recipe.name) }, context);
    return published;
  });
  return { source: 'downloaded', key, origin: url };
}

/** The recipe's release, when there is a file for this machine. */
export function releaseFor(recipe: EngineRecipe, context: EngineContext): ReleaseRecipe {
  const { release } = recipe;
  if (release?.systems.includes(context.platform.os)) return release;
  throw noReleaseFile(recipe, platformText(context.platform));
}

/** Throws `engine/bad-url` when `--url` is not an address. */
export function checkUrl(url: string | undefined): void {
  if (url === undefined) return;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw badUrl(url);
}

async function fetchChecksum(
  recipe: EngineRecipe,
  release: ReleaseRecipe,
  fileName: string,
  context: EngineContext,
): Promise<string> {
  const { origin, path, format } = release.checksum;
  const url = addressOf(origin, path(context.platform), context);
  const text = await fetchText(recipe, url, context);
  const sum = publishedChecksum(format, text, fileName);
  if (sum !== undefined) return sum;
  throw downloadFailed(recipe, url, `no SHA-256 of ${fileName} is published there`);
}

async function unpack(
  recipe: EngineRecipe,
  release: ReleaseRecipe,
  files: { readonly file: string; readonly url: string; readonly binary: string },
  context: EngineContext,
): Promise<void> {
  if (release.member === undefined) {
    await rename(files.file, files.binary);
    return;
  }
  const member = release.member(context.platform);
  const result = await extractMember(files.file, member, files.binary);
  if (result === 'not-there') {
    throw downloadFailed(recipe, files.url, `the archive holds no ${member}`);
  }
  await rm(files.file);
}

function addressOf(origin: string, path: string, context: EngineContext): string {
  return `${(context.url ?? origin).replace(/\/+$/, '')}${path}`;
}
