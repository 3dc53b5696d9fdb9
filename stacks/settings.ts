import { z } from 'zod';
import { CLUSTER_PRESETS } from '../model/cluster-shape.js';
import { NETWORK_MODES } from '../model/network-limits.js';

const backend = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('local'), path: z.string().optional() }),
  z.strictObject({
    kind: z.literal('azurerm'),
    resourceGroupName: z.string(),
    storageAccountName: z.string(),
    containerName: z.string(),
    key: z.string(),
  }),
]);

/**
 * What `cdktf.json` says under `context.meshscale`: everything about a mesh that is fixed at synth.
 * The number of clusters is not here, it is the Terraform variable `clusters`.
 */
export const settingsSchema = z.strictObject({
  /** Resource group, fleet, and the tag `meshscale`. */
  meshName: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/u)
    .default('meshscale'),
  region: z.string().default('eastus2euap'),
  network: z.enum(NETWORK_MODES).default('peering'),
  preset: z.enum(Object.keys(CLUSTER_PRESETS) as [keyof typeof CLUSTER_PRESETS]).default('full'),
  plannedPodsPerNode: z.int().min(1).max(250).optional(),
  kubernetesVersion: z.string().optional(),
  /** A mesh spec (`specs/….yaml`) instead of `--var clusters=N`: for clusters that differ. */
  spec: z.string().optional(),
  /** A Virtual Network Manager that exists: a subscription can hold one per scope. */
  networkManagerId: z.string().optional(),
  /** The handler's bundle. @default - the one of this package */
  handlerFile: z.string().optional(),
  backend: backend.default({ kind: 'local' }),
});

/** Settings with their defaults. */
export type MeshSettings = z.infer<typeof settingsSchema>;
