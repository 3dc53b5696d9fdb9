import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { objectName, renderTemplate } from '../../workload/cl2/render-template.js';
import type { KubeAnswer, KubeClient } from '../../workload/kube/kube-client.js';
import { systemClock } from '../../workload/platform/clock.js';
import type { FakeConfig, FakePhase } from './config.js';

/** What the stand-in works with. */
export interface FakeCluster {
  readonly client: KubeClient;
  readonly config: FakeConfig;
  readonly configFile: string;
  /** How many of each basename and template kind there are in each namespace. */
  readonly counts: Map<string, number>;
}

/** Brings the objects of a phase to their number, paced by its tuning set. Gives what went wrong. */
export async function runPhase(cluster: FakeCluster, phase: FakePhase): Promise<readonly string[]> {
  const { config } = cluster;
  const qps = config.tuningSets.find(({ name }) => name === phase.tuningSet)?.qpsLoad?.qps;
  const errors: string[] = [];
  const under: Promise<void>[] = [];
  for (const { namespace, index, verb } of actionsOf(cluster, phase)) {
    const bundle = verb === 'DELETE' ? [...phase.objectBundle].reverse() : phase.objectBundle;
    const action = async (): Promise<void> => {
      for (const { basename, objectTemplatePath } of bundle) {
        const values = { basename, index, namespace };
        const error = await writeOne(cluster, objectTemplatePath, values, verb);
        if (error === undefined) continue;
        errors.push(`namespace ${namespace} object ${objectName(values)} ${error}`);
        break;
      }
    };
    if (qps === undefined) await action();
    else {
      under.push(action());
      // Also after the last one, as the real one does.
      await systemClock.sleep(1_000 / qps);
    }
  }
  await Promise.all(under);
  for (const key of keysOf(cluster, phase)) cluster.counts.set(key, phase.replicasPerNamespace);
  return errors;
}

interface Action {
  readonly namespace: string;
  readonly index: number;
  readonly verb: 'POST' | 'PATCH' | 'DELETE';
}

function actionsOf(cluster: FakeCluster, phase: FakePhase): readonly Action[] {
  const { min, max } = phase.namespaceRange;
  const { replicasPerNamespace: wanted } = phase;
  const numbers = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  return numbers.flatMap((number): readonly Action[] => {
    const namespace = `${cluster.config.namespace.prefix}-${number}`;
    const current = cluster.counts.get(keyOf(namespace, phase)) ?? 0;
    const range = (from: number, to: number, verb: Action['verb']): readonly Action[] =>
      Array.from({ length: to - from }, (_, index) => ({ namespace, index: from + index, verb }));
    if (wanted > current) return range(current, wanted, 'POST');
    if (wanted < current) return [...range(wanted, current, 'DELETE')].reverse();
    return range(0, wanted, 'PATCH');
  });
}

function keysOf(cluster: FakeCluster, phase: FakePhase): readonly string[] {
  const { min, max } = phase.namespaceRange;
  return Array.from({ length: max - min + 1 }, (_, index) =>
    keyOf(`${cluster.config.namespace.prefix}-${min + index}`, phase),
  );
}

/** The kind by its file name: versions of one kind count together. */
function keyOf(namespace: string, { objectBundle }: FakePhase): string {
  const [first] = objectBundle;
  return `${namespace}/${first?.basename ?? ''}/${first?.objectTemplatePath.split('-')[0] ?? ''}`;
}

async function writeOne(
  { client, configFile }: FakeCluster,
  template: string,
  values: { readonly basename: string; readonly index: number; readonly namespace: string },
  verb: Action['verb'],
): Promise<string | undefined> {
  const text = await readFile(join(dirname(configFile), template), 'utf8');
  const rendered = renderTemplate(text, values);
  if (!rendered.ok) return `reading template error: ${rendered.problem}`;
  const collection = collectionOf(rendered.object, values.namespace);
  const path = `${collection}/${objectName(values)}`;
  const answer = await send(client, verb, { collection, path, body: rendered.object });
  if (answer.ok || (verb === 'POST' && answer.status === 409)) return undefined;
  if (verb === 'DELETE' && answer.status === 404) return undefined;
  const deed = { POST: 'creation', PATCH: 'updating', DELETE: 'deletion' }[verb];
  return `${deed} error: ${answer.message}`;
}

function send(
  client: KubeClient,
  verb: Action['verb'],
  { collection, path, body }: { collection: string; path: string; body: object },
): Promise<KubeAnswer> {
  switch (verb) {
    case 'POST':
      return client.request('POST', collection, body);
    case 'PATCH':
      return client.patch(path, 'merge', body);
    case 'DELETE':
      return client.request('DELETE', path, { propagationPolicy: 'Background' });
  }
}

function collectionOf(object: Readonly<Record<string, unknown>>, namespace: string): string {
  const version = String(object['apiVersion']);
  const plural = `${String(object['kind']).toLowerCase()}s`;
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  return `${root}/namespaces/${namespace}/${plural}`;
}
