import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { cl2JobOf, plannedScenario } from '../../helpers/cl2-plan.js';
import { golden } from '../../helpers/golden-file.js';
import { generateCl2, type Cl2Job } from '../../../workload/cl2/generate.js';
import { checkPromql } from '../../../workload/measure/promql.js';

/** Everything that one job consists of, readable from top to bottom. */
function wholeText({ files, monitors, expected, clients }: Cl2Job): string {
  const parts = [...files, ...monitors].map(({ file, text }) => `# --- ${file}\n${text}`);
  const lines = (title: string, items: readonly string[]): string =>
    [`# --- ${title}`, ...items.map((item) => `# ${item}`), ''].join('\n');
  return [
    `# --k8s-clients-number=${clients}\n`,
    ...parts,
    lines('expected cases', expected.cases),
    lines('expected files', expected.files),
  ].join('');
}

function queriesOf(job: Cl2Job) {
  return job.config.steps.flatMap((step) => {
    if ('phases' in step) return [];
    return step.measurements.flatMap((one) =>
      one.method === 'GenericPrometheusQuery' ? [one.params] : [],
    );
  });
}

describe('generating a ClusterLoader2 config', () => {
  it.each([
    ['config-smoke', 'own'],
    ['config-smoke', 'existing'],
    ['event-throughput', 'existing'],
    ['first-look', 'existing'],
  ] as const)('gives %s with %s Prometheus as its golden file says', async (name, mode) => {
    const text = wholeText(await cl2JobOf(name, mode));
    expect(text).toBe(await golden(`cl2/${name}-${mode}.txt`, text));
  });

  it('gives the same text for the same plan', async () => {
    const [one, other] = [
      await cl2JobOf('event-throughput', 'own'),
      await cl2JobOf('event-throughput', 'own'),
    ];
    expect(one.files).toEqual(other.files);
  });

  it('leaves no template in the config and one placeholder a line in object templates', async () => {
    for (const name of ['config-smoke', 'event-throughput', 'first-look']) {
      const job = await cl2JobOf(name, 'own', ['namespaces=2']);
      for (const { file, text } of job.files) {
        const perLine = text.split('\n').map((line) => line.split('{{').length - 1);
        expect([file, Math.max(...perLine)]).toEqual([file, file === job.configFile ? 0 : 1]);
      }
    }
  });

  it('starts and gathers every measurement with the same parameters', async () => {
    const job = await cl2JobOf('event-throughput', 'own');
    const queries = queriesOf(job);
    const of = (action: string) =>
      queries.filter((one) => one.action === action).map((one) => ({ ...one, action: '' }));
    expect(of('start').length).toBeGreaterThan(20);
    expect(of('start')).toEqual(of('gather'));
  });

  it('makes PromQL of every query once the window is filled in', async () => {
    for (const { queries } of queriesOf(await cl2JobOf('event-throughput', 'own'))) {
      for (const { query } of queries) {
        const checked = checkPromql(query.replaceAll('%v', '123s'));
        expect(checked.ok ? '' : `${query}: ${checked.problem}`).toBe('');
      }
    }
  });

  it('turns a rule of the verdict into a threshold that needs a sample', async () => {
    const query = queriesOf(await cl2JobOf('first-look', 'own'))
      .flatMap(({ queries }) => queries)
      .find(({ name }) => name === 'NotReadyClusters');
    expect(query).toMatchObject({ threshold: 0, requireSamples: true });
  });

  it('asks no cluster for what it cannot show', async () => {
    const { plan, catalogue } = await plannedScenario('event-throughput', [], 'local');
    const job = generateCl2({ plan, catalogue, role: 'mesh-001', prometheus: 'own' });
    const asked = queriesOf(job).map(({ metricName }) => metricName);
    expect(asked).toContain('ClusterMesh Kvstore Operation Duration');
    expect(asked).not.toContain('ClusterMesh Global Services');
  });

  it('writes another version of the Deployments for each restart', async () => {
    const job = await cl2JobOf('event-throughput', 'existing', ['restartCount=3']);
    const versions = job.files
      .map(({ file }) => file)
      .filter((file) => file.includes('deployment'));
    expect(versions).toEqual(
      [0, 1, 2, 3].map((generation) => `deployment-g${generation}-r10.yaml`),
    );
    const third = job.files.find(({ file }) => file === 'deployment-g3-r10.yaml')?.text ?? '';
    expect(parse(third)).toMatchObject({
      spec: { template: { metadata: { annotations: { 'restart-generation': '3' } } } },
    });
  });

  it('asks for as many clients as the load needs', async () => {
    const slow = await cl2JobOf('event-throughput');
    const fast = await cl2JobOf('event-throughput', 'existing', ['apiServerCallsPerSecond=500']);
    expect([slow.clients, fast.clients]).toEqual([1, 10]);
  });
});
