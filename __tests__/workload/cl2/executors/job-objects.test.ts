import { beforeAll, describe, expect, it } from '@jest/globals';
import { packInput } from '../../../../workload/cl2/executors/job-input.js';
import { jobAccountAndInput, jobObject } from '../../../../workload/cl2/executors/job-objects.js';
import { jobRbac } from '../../../../workload/cl2/executors/job-rbac.js';
import {
  DEFAULT_RESOURCES,
  type JobSettings,
} from '../../../../workload/cl2/executors/job-settings.js';
import type { Cl2Job } from '../../../../workload/cl2/generate.js';
import { cl2JobOf, inventoryOfTwo } from '../../../helpers/cl2-plan.js';

const SETTINGS: JobSettings = {
  image: 'registry.test/cl2:1',
  resources: DEFAULT_RESOURCES,
  nodeSelector: { agentpool: 'load' },
  settings: { CL2_PROMETHEUS_NODE_SELECTOR: 'a: b' },
};
const OWNER = { uid: 'u', labels: { 'meshscale/run': 'r' } };

let job: Cl2Job;
beforeAll(async () => {
  job = await cl2JobOf('config-smoke');
});

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly nodeSelector: object;
    readonly containers: readonly Readonly<Record<string, unknown>>[];
  };
}

function template(settings: JobSettings = SETTINGS, of: Cl2Job = job): PodTemplate {
  const [cluster] = inventoryOfTwo('kubeconfig').clusters;
  if (cluster === undefined) throw new Error('there is no cluster');
  const request = { job: of, cluster, target: 'kubeconfig', settings, maps: [] } as const;
  const { spec } = jobObject(request).body as unknown as { spec: { template: PodTemplate } };
  return spec.template;
}

describe('the objects of a Job', () => {
  it('starts the image by its own entry point, inside of the cluster and without a kubeconfig', () => {
    const [engine] = template().spec.containers;
    expect(engine).toMatchObject({ image: 'registry.test/cl2:1' });
    expect(engine).not.toHaveProperty('command');
    expect(engine?.['args']).toEqual(
      expect.arrayContaining([
        '--run-from-cluster=true',
        '--testconfig=/meshscale/input/config.yaml',
        '--report-dir=/meshscale/results/report',
      ]),
    );
    expect(String(engine?.['args'])).not.toContain('--kubeconfig');
  });

  it('keeps the results by the same image, or by the one that is named', () => {
    expect(template().spec.containers[1]).toMatchObject({ image: 'registry.test/cl2:1' });
    const named = template({ ...SETTINGS, helperImage: 'busybox', command: '/cl2' });
    expect(named.spec.containers[1]).toMatchObject({ image: 'busybox' });
    expect(named.spec.containers[0]).toMatchObject({ command: ['/cl2'] });
  });

  it('is found by the labels of the run, and is not counted with its workload', () => {
    const { labels } = template().metadata;
    expect(labels).toEqual({
      'app.kubernetes.io/managed-by': 'meshscale',
      'meshscale/run': job.run.id,
    });
    expect(template().spec.nodeSelector).toEqual({
      'kubernetes.io/os': 'linux',
      agentpool: 'load',
    });
  });

  it('lives longer than the scenario may take, and no longer than somebody can fetch from it', () => {
    const [cluster] = inventoryOfTwo('kubeconfig').clusters;
    if (cluster === undefined) throw new Error('there is no cluster');
    const request = { job, cluster, target: 'kubeconfig', settings: SETTINGS, maps: [] } as const;
    expect(jobObject(request).body['spec']).toMatchObject({
      backoffLimit: 0,
      activeDeadlineSeconds: job.run.budget / 1_000 + 4_500,
    });
  });
});

describe('the rights of a Job', () => {
  it('changes nothing but Services and Deployments in the namespaces of its run', () => {
    const objects = jobRbac(job, OWNER).map(({ body }) => body);
    const everywhere = objects.find(({ metadata }) => metadata.name === 'meshscale-cl2-read');
    const verbs = JSON.stringify(everywhere?.['rules']);
    expect(verbs).not.toMatch(/create|patch|update|delete|\*/);
    const bindings = objects.filter(({ kind }) => kind === 'RoleBinding');
    expect(bindings.length).toBe(job.run.namespaces.length);
    const load = objects.find(({ metadata }) => metadata.name === 'meshscale-cl2-load');
    expect(JSON.stringify(load?.['rules'])).not.toMatch(/secrets|\*/);
  });

  it('goes with the namespace of the Job, whoever removes that', () => {
    const cluster = jobRbac(job, OWNER).filter(({ body }) => body.kind.startsWith('ClusterRole'));
    expect(cluster.length).toBe(3);
    for (const { body } of cluster) {
      expect(body.metadata['ownerReferences']).toMatchObject([{ kind: 'Namespace', uid: 'u' }]);
    }
  });

  it('is the administrator only for a Prometheus of its own', async () => {
    const roleOf = (one: Cl2Job): unknown =>
      jobRbac(one, OWNER).find(({ body }) => body.kind === 'ClusterRoleBinding')?.body['roleRef'];
    expect(roleOf(job)).toMatchObject({ name: 'meshscale-cl2-read' });
    expect(roleOf(await cl2JobOf('config-smoke', 'own'))).toMatchObject({ name: 'cluster-admin' });
  });
});

describe('the input of a Job', () => {
  const file = (name: string, size: number) => ({ file: name, text: 'x'.repeat(size) });

  it('is one ConfigMap for what fits into one, with the monitors in a folder', async () => {
    const packed = packInput(await cl2JobOf('config-smoke', 'own'));
    if (!packed.ok) throw new Error('it was refused');
    expect(packed.maps.length).toBe(1);
    const paths = packed.maps.flat().map(({ path }) => path);
    expect(paths).toContain('config.yaml');
    expect(paths.some((path) => path.startsWith('monitors/'))).toBe(true);
    const [, map] = jobAccountAndInput(job, packed.maps);
    const keys = Object.keys(map?.body['data'] as object);
    expect(keys.every((key) => /^[-._a-zA-Z0-9]+$/.test(key))).toBe(true);
  });

  it('is split over as many ConfigMaps as it needs', () => {
    const files = Array.from({ length: 5 }, (_, index) => file(`f${index}`, 500_000));
    const packed = packInput({ files, monitors: [] });
    if (!packed.ok) throw new Error('it was refused');
    expect(packed.maps.map((map) => map.length)).toEqual([2, 2, 1]);
  });

  it('fails for every file that no ConfigMap can hold, with the arithmetic', () => {
    const files = [file('a', 2_000_000), file('b', 10), file('c', 1_048_576)];
    const packed = packInput({ files, monitors: [] });
    if (packed.ok) throw new Error('it was taken');
    expect(packed.errors.map(({ problem }) => problem)).toEqual([
      'a does not fit into a ConfigMap, and one file cannot be split',
      'c does not fit into a ConfigMap, and one file cannot be split',
    ]);
    expect(packed.errors[0]).toMatchObject({
      code: 'cl2/input-too-large',
      given: '2000001 bytes',
      expected: 'at most 1048576 bytes for each file',
    });
  });
});
