import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { userErrorsOf } from '../../../model/user-error.js';
import { kubeconfigInventory } from '../../../workload/inventory/kubeconfig-inventory.js';
import { freePorts } from '../../helpers/real-etcd.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

describe('clusters of kubeconfigs', () => {
  it('are taken from the first of several files that has their context', async () => {
    await withFiles(async (files, look) => {
      const { clusters } = await look(['only-b', 'both']);
      expect(clusters.map(({ access }) => access)).toEqual([
        { kind: 'kubeconfig', file: files[1], context: 'only-b' },
        { kind: 'kubeconfig', file: files[0], context: 'both' },
      ]);
    });
  });

  it('are asked for the Prometheus that is named', async () => {
    await withFiles(async (_, look) => {
      const { clusters } = await look(['both'], 'observe/prom:http');
      expect(clusters[0]?.prometheus).toEqual({ kind: 'in-cluster', url: 'observe/prom:http' });
    });
  });

  it('fails for an unknown context and a Service without port, at once', async () => {
    await withFiles(async (_, look) => {
      const error: unknown = await look(['nowhere'], 'observe/prom').catch((one: unknown) => one);
      const codes = userErrorsOf(error).map(({ code }) => code);
      expect(codes.toSorted()).toEqual(['inventory/bad-service', 'kube/unknown-context']);
    });
  });

  it('fails without contexts, with those of all files', async () => {
    await withFiles(async (_, look) => {
      await expect(look([])).rejects.toMatchObject({
        code: 'inventory/no-contexts',
        expected: expect.stringMatching(/^some of (?=.*both)(?=.*only-a)(?=.*only-b)/),
      });
    });
  });
});

type Look = (
  contexts: readonly string[],
  prometheusService?: string,
) => ReturnType<typeof kubeconfigInventory>;

/** Two files whose API servers are not there: what they hold has to do. */
async function withFiles(
  deed: (files: readonly [string, string], look: Look) => Promise<void>,
): Promise<void> {
  const [port = 0] = await freePorts(1);
  await withTemporaryFolder(async (folder) => {
    const files = [join(folder, 'a'), join(folder, 'b')] as const;
    await writeFile(files[0], kubeconfig(port, ['only-a', 'both']));
    await writeFile(files[1], kubeconfig(port, ['both', 'only-b']));
    const { signal } = new AbortController();
    const clock = createVirtualClock();
    await deed(files, (contexts, prometheusService) =>
      kubeconfigInventory({ files, contexts, prometheusService, clock, signal }),
    );
  });
}

function kubeconfig(port: number, contexts: readonly string[]): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'u', user: {} }],
    contexts: contexts.map((name) => ({ name, context: { cluster: 'c', user: 'u' } })),
  });
}
