import { z } from 'zod';
import { inventorySchema } from '../../model/inventory.js';
import { stateFile, type StateFile } from './state-file.js';

/** The version of mesh.json, processes.json and links.json that this program writes and reads. */
export const STATE_SCHEMA_VERSION = 1;

const portsSchema = z.record(z.string(), z.record(z.string(), z.int()));

const specSchema = z.object({
  clusters: z.int().min(1).max(255),
  nodes: z.int().min(1),
  exportQps: z.number().positive(),
  meshQps: z.number().positive(),
});

const meshSchema = z.object({
  spec: specSchema,
  /** How many clusters the last `up` that came to its end left; fewer than asked for: interrupted. */
  completedClusters: z.int().min(0).max(255),
  ports: portsSchema,
  inventory: inventorySchema,
});

/** What the user asked for. */
export type MeshSpec = z.infer<typeof specSchema>;
/** Listening ports by role and purpose; found once, kept over restarts. */
export type MeshPorts = z.infer<typeof portsSchema>;
/** The content of mesh.json. */
export type MeshState = z.infer<typeof meshSchema>;

/** `mesh.json`: what this mesh is. Written before the first process is started. */
export function meshFile(path: string): StateFile<MeshState> {
  return stateFile(path, STATE_SCHEMA_VERSION, meshSchema);
}
