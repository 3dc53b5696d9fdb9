import { z } from 'zod';
import type { KubeObject } from '../../workload/kube/kube-client.js';
import type { ObjectName, ObjectWriter } from './object-writer.js';

/** What stands in the API server where a write met something unexpected. */
export type KnownObject =
  | { readonly state: 'found'; readonly object: KubeObject }
  | { readonly state: 'gone' }
  | { readonly state: 'failed'; readonly reason: string };

/**
 * Reads an object again after a conflict: an earlier write whose answer was lost, or somebody else's
 * hand. The task comes again after its backoff with this knowledge.
 */
export async function knownObject(writer: ObjectWriter, name: ObjectName): Promise<KnownObject> {
  const read = await writer.read(name);
  if (read.state !== 'found') return read;
  const parsed = objectSchema.safeParse(read.body);
  return parsed.success
    ? { state: 'found', object: parsed.data }
    : { state: 'failed', reason: `${name.kind} ${name.name} could not be read` };
}

const strings = z.record(z.string(), z.string()).optional();
const objectSchema: z.ZodType<KubeObject> = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    uid: z.string().optional(),
    labels: strings,
    annotations: strings,
  }),
}) as unknown as z.ZodType<KubeObject>;
