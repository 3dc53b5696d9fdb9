import { z } from 'zod';
import { ENGINE_NAMES } from './engine-names.js';

/** What stands beside a cached binary, in `manifest.json`. */
const manifestSchema = z.object({
  schemaVersion: z.literal(1),
  engine: z.enum(ENGINE_NAMES),
  version: z.string(),
  source: z.enum(['built', 'downloaded', 'package']),
  /** Hash of all that the content depends on. */
  key: z.string(),
  /** `linux/amd64` */
  platform: z.string(),
  /** Name of the binary in the entry's folder. */
  file: z.string().regex(/^[a-z0-9-]+$/),
  sha256: z.string(),
  size: z.number().int().positive(),
  /** Time of the last change of the binary, milliseconds: another one means looking closer. */
  modified: z.number(),
  /** Go package, address or Debian package that it was made from. */
  origin: z.string(),
  installedAt: z.string(),
});

/** A {@link manifestSchema} value. */
export type CacheManifest = z.infer<typeof manifestSchema>;

export const MANIFEST_FILE = 'manifest.json';

/** The manifest in `text`; undefined when it is damaged or of another version of meshscale. */
export function parseManifest(text: string): CacheManifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
