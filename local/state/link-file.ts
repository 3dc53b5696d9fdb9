import { z } from 'zod';
import { STATE_SCHEMA_VERSION } from './mesh-file.js';
import { stateFile, type StateFile } from './state-file.js';

const linkSchema = z.object({
  source: z.string(),
  reader: z.string(),
  /** `127.0.0.1:20100`: what the reader's kvstoremesh dials. */
  listen: z.string(),
  /** `127.0.0.1:20021`: the source's mesh etcd. */
  target: z.string(),
  /** Added to each direction, milliseconds. @default 0 */
  delayMs: z.number().min(0).optional(),
  /** `paused`: bytes wait, connections stay. `cut`: connections are closed and refused. @default open */
  state: z.enum(['open', 'paused', 'cut']).optional(),
});

const fileSchema = z.object({ links: z.array(linkSchema) });

/** A directed link: how `reader` reads what `source` exports. */
export type MeshLink = z.infer<typeof linkSchema>;

/** `links.json`: every directed link of the mesh. */
export function linkFile(path: string): StateFile<{ links: MeshLink[] }> {
  return stateFile(path, STATE_SCHEMA_VERSION, fileSchema);
}
