import { describe, expect, it } from '@jest/globals';
import { checkJob } from '../../../workload/cl2/check-job.js';
import type { Cl2Job } from '../../../workload/cl2/generate.js';
import { renderTemplate } from '../../../workload/cl2/render-template.js';
import { cl2JobOf } from '../../helpers/cl2-plan.js';

const VALUES = { basename: 'et', index: 3, namespace: 'ms-et-1' };
const OBJECT = 'apiVersion: "v1"\nkind: "Service"\nmetadata:\n  name: "{{.Name}}"\n';

async function codesOf(change: (job: Cl2Job) => Partial<Cl2Job>): Promise<readonly string[]> {
  const job = await cl2JobOf('config-smoke', 'own');
  return checkJob({ ...job, ...change(job) }).map(({ code }) => code);
}

describe('checking what ClusterLoader2 would be given', () => {
  it.each(['config-smoke', 'event-throughput', 'first-look', 'propagation-probe'])(
    'finds nothing wrong with %s',
    async (name) => {
      expect(checkJob(await cl2JobOf(name, 'own'))).toEqual([]);
    },
  );

  it('fails for a name that would break file names', async () => {
    const codes = await codesOf(({ config }) => ({ config: { ...config, name: 'a_b/c' } }));
    expect(codes).toEqual(['cl2/bad-name']);
  });

  it('fails for a query that is not PromQL', async () => {
    const codes = await codesOf(({ config }) => {
      const text = JSON.stringify(config).replaceAll('max_over_time(', 'max_over_time((');
      return { config: JSON.parse(text) as Cl2Job['config'] };
    });
    expect(new Set(codes)).toEqual(new Set(['cl2/bad-query']));
  });

  it('fails for a template that is not there, and tells all problems at once', async () => {
    const codes = await codesOf(({ config, files }) => ({
      config: { ...config, name: 'a_b' },
      files: files.filter(({ file }) => file !== 'service.yaml'),
    }));
    expect(new Set(codes)).toEqual(new Set(['cl2/bad-name', 'cl2/bad-template']));
  });

  it('fails for two measurements that would overwrite each other', async () => {
    const codes = await codesOf(({ expected }) => ({
      expected: { ...expected, files: [...expected.files, expected.files[0] ?? ''] },
    }));
    expect(codes).toEqual(['cl2/bad-name']);
  });
});

describe('rendering an object template', () => {
  it('names the object by base name and index', () => {
    expect(renderTemplate(OBJECT, VALUES)).toMatchObject({
      ok: true,
      object: { metadata: { name: 'et-3', namespace: 'ms-et-1' } },
    });
  });

  it.each([
    ['two placeholders in one line', `${OBJECT}  a: "{{.Name}}{{.Index}}"\n`],
    ['an unknown placeholder', `${OBJECT}  a: "{{.Other}}"\n`],
    ['a placeholder in', OBJECT.replace('"Service"', '"{{.Name}}"')],
    ['one document', `${OBJECT}---\n${OBJECT}`],
    ['no apiVersion', 'metadata:\n  name: "{{.Name}}"\n'],
  ])('fails for %s', (problem, text) => {
    const rendered = renderTemplate(text, VALUES);
    expect(rendered.ok ? '' : rendered.problem).toContain(problem);
  });
});
