import { z } from 'zod';

/** The version of the inventory file that this program writes and reads. */
export const INVENTORY_SCHEMA_VERSION = 1;

const access = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('aks'), resourceId: z.string() }),
  z.strictObject({ kind: z.literal('kubeconfig'), file: z.string(), context: z.string() }),
  z.strictObject({ kind: z.literal('local'), stateDir: z.string() }),
]);

const prometheus = z.strictObject({
  kind: z.enum(['in-cluster', 'url', 'azure-monitor', 'local']),
  url: z.string().optional(),
  workspaceId: z.string().optional(),
});

const cluster = z.strictObject({
  role: z.string(),
  number: z.int().min(1).max(255),
  ciliumName: z.string().optional(),
  ciliumId: z.int().min(1).max(511).optional(),
  kubernetesVersion: z.string().optional(),
  ciliumVersion: z.string().optional(),
  components: z.record(z.string(), z.string()).optional(),
  nodes: z.int().min(0),
  podCidrs: z.array(z.string()),
  nodeCidrs: z.array(z.string()),
  serviceCidrs: z.array(z.string()),
  podNetwork: z.enum(['flat', 'overlay', 'none']),
  /** False where no packet can flow: rows that need one are `not-applicable`. */
  datapath: z.boolean(),
  access,
  prometheus: prometheus.optional(),
  mesh: z
    .strictObject({ kind: z.enum(['etcd', 'service']), endpoint: z.string().optional() })
    .optional(),
  labels: z.record(z.string(), z.string()).optional(),
});

/**
 * What the runner knows of the clusters: the Terraform output, discovery by tags, kubeconfig
 * contexts and the local mesh all give this one value. It never holds a token, a certificate or the
 * content of a kubeconfig.
 */
export const inventorySchema = z.strictObject({
  schemaVersion: z.literal(INVENTORY_SCHEMA_VERSION),
  target: z.enum(['azure', 'kubeconfig', 'local']),
  meshName: z.string(),
  createdAt: z.iso.datetime(),
  partial: z.boolean(),
  expectedClusters: z.int().min(1).max(255),
  fleet: z.strictObject({ id: z.string(), profile: z.string(), apiVersion: z.string() }).optional(),
  network: z.strictObject({ mode: z.string() }),
  clusters: z.array(cluster),
});

/** All clusters of a mesh, as the runner needs them. */
export type Inventory = z.infer<typeof inventorySchema>;

/** One cluster of an inventory. */
export type InventoryCluster = Inventory['clusters'][number];

/** A cluster's role, with the name that its owner knows it by: `mesh-001 (aks-west)`. */
export function clusterTitle({ role, access }: InventoryCluster): string {
  const own = ownName(access);
  return own === undefined || own === role ? role : `${role} (${own})`;
}

function ownName(access: InventoryCluster['access']): string | undefined {
  switch (access.kind) {
    case 'kubeconfig':
      return access.context;
    case 'aks':
      return access.resourceId.split('/').at(-1);
    case 'local':
      return undefined;
  }
}
