import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { MIB, type Bytes } from '../../../model/quantity.js';
import { ensureDirectory, writeAtomic } from '../../platform/files.js';

/** What unpacking gave: how many files, or why there is nothing that could be trusted. */
export type Unpacked =
  { readonly ok: true; readonly files: number } | { readonly ok: false; readonly problem: string };

/** A packed report as it came. */
export interface PackedReport {
  readonly bytes: Buffer;
  /** What was counted and summed where it was packed. */
  readonly size: Bytes;
  readonly sha256: string;
}

/**
 * Unpacks a report into its folder after its checksum was compared: all of it or nothing. Only plain
 * files are taken, by their own names: what comes out of a container must not reach beyond the folder.
 */
export async function unpackReport(packed: PackedReport, folder: string): Promise<Unpacked> {
  const { bytes, size, sha256 } = packed;
  if (bytes.length !== size) {
    return { ok: false, problem: `${bytes.length} of ${size} bytes came` };
  }
  const own = createHash('sha256').update(bytes).digest('hex');
  if (own !== sha256) return { ok: false, problem: `the checksum is ${own}, not ${sha256}` };
  await ensureDirectory(folder);
  try {
    return { ok: true, files: await unpack(bytes, folder) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `it cannot be unpacked: ${reason}` };
  }
}

async function unpack(bytes: Buffer, folder: string): Promise<number> {
  const archive = extract();
  // Bounded here, so that the sizes in the archive need not be believed.
  archive.end(gunzipSync(bytes, { maxOutputLength: LARGEST }));
  let files = 0;
  for await (const entry of archive) {
    const name = plainName(entry.header);
    const content = await contentOf(entry);
    if (name === undefined) continue;
    await writeAtomic(join(folder, name), content);
    files += 1;
  }
  return files;
}

/** The name below the report's own folder; ClusterLoader2 makes no folders. */
function plainName({ type, name: full }: Pick<Header, 'type' | 'name'>): string | undefined {
  if (type !== 'file') return undefined;
  const name = full.replace(/^(\.\/)?[^/]+\//, '');
  const plain =
    name !== '' && !name.includes('/') && !name.startsWith('..') && !name.includes('\0');
  return plain ? name : undefined;
}

async function contentOf(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Ours: far more than any report, and bounded. */
const LARGEST: Bytes = 512 * MIB;
