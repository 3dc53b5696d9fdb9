import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KubeAccess, KubeClient } from '../../workload/kube/kube-client.js';

/** As much of the pod of a Job as is played. */
export interface PodLike {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly name: string; readonly args?: readonly string[] }[];
    readonly volumes: readonly {
      readonly name: string;
      readonly projected?: {
        readonly sources: readonly {
          readonly configMap?: {
            readonly name: string;
            readonly items: readonly { readonly key: string; readonly path: string }[];
          };
        }[];
      };
    }[];
  };
}

const NAMESPACE = 'meshscale-cl2';

/** The projected ConfigMaps of the pod, as files. */
export async function writeInput(client: KubeClient, pod: PodLike, folder: string): Promise<void> {
  const sources = pod.spec.volumes.find(({ name }) => name === 'input')?.projected?.sources ?? [];
  for (const { configMap } of sources) {
    if (configMap === undefined) continue;
    const path = `/api/v1/namespaces/${NAMESPACE}/configmaps/${configMap.name}`;
    const answer = await client.request('GET', path);
    const { data } = (answer.ok ? answer.body : {}) as { data: Record<string, string> };
    for (const item of configMap.items) {
      await mkdir(dirname(join(folder, item.path)), { recursive: true });
      await writeFile(join(folder, item.path), data[item.key] ?? '');
    }
  }
}

/** By a token of the Job's own account: what it may not do, the stand-in cannot either. */
export async function accountAccess(client: KubeClient): Promise<KubeAccess> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/clusterloader2/token`;
  const answer = await client.request('POST', path, { spec: { expirationSeconds: 3600 } });
  if (!answer.ok) throw new Error(`no token: ${answer.message}`);
  const { status } = answer.body as { status: { token: string } };
  const { server, caPem } = client.access;
  return { server, caPem, credential: { kind: 'token', token: status.token } };
}
