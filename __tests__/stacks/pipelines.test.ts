import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';

const step = z.looseObject({
  run: z.string().optional(),
  script: z.string().optional(),
  if: z.string().optional(),
  condition: z.string().optional(),
  inputs: z.looseObject({ inlineScript: z.string().optional() }).optional(),
});
type Step = z.infer<typeof step>;

const github = z.object({
  name: z.string(),
  on: z.object({
    schedule: z.array(z.object({ cron: z.string() })),
    workflow_dispatch: z.object({ inputs: z.record(z.string(), z.unknown()) }),
  }),
  permissions: z.record(z.string(), z.string()),
  concurrency: z.string(),
  env: z.record(z.string(), z.string()),
  jobs: z.object({ mesh: z.looseObject({ steps: z.array(step), 'timeout-minutes': z.number() }) }),
});

const azure = z.object({
  trigger: z.literal('none'),
  schedules: z.array(z.looseObject({ cron: z.string(), always: z.literal(true) })),
  parameters: z.array(z.object({ name: z.string(), type: z.string(), default: z.unknown() })),
  variables: z.record(z.string(), z.string()),
  jobs: z.tuple([z.looseObject({ steps: z.array(step), timeoutInMinutes: z.number() })]),
});

describe.each([
  ['GitHub Actions', () => githubPipeline()],
  ['Azure Pipelines', () => azurePipeline()],
])('the example for %s', (_, read) => {
  const { steps, minutes, inputs, environment } = read();
  const commands = steps.map(textOf);

  it('runs every week and by hand, with a number of clusters and a scenario', () => {
    expect(inputs).toEqual(['clusters', 'scenario']);
  });

  it('builds, deploys, runs, judges and destroys, in this order', () => {
    const order = [
      'npm run build',
      'cdktf-cli@0.21.0 deploy',
      'meshscale.js run',
      'meshscale.js gate',
      'cdktf-cli@0.21.0 destroy',
    ];
    const at = order.map((word) => commands.findIndex((text) => text.includes(word)));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at).not.toContain(-1);
  });

  it('destroys and keeps the results whatever happened', () => {
    const destroy = steps.filter((each) => textOf(each).includes('cdktf-cli@0.21.0 destroy'));
    expect(destroy.map(({ condition, if: when }) => condition ?? when)).toEqual(['always()']);
    expect(steps.at(-1)).toMatchObject(
      steps.at(-1)?.if === undefined ? { condition: 'always()' } : { if: 'always()' },
    );
  });

  it('approves by itself, and asks Azure for no more at a time than it bears', () => {
    const calls = commands.filter((text) => text.includes('npx cdktf-cli'));
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(call).toContain('--auto-approve');
      expect(call).toContain('--terraform-parallelism 4');
    }
  });

  it('has time for a mesh of 20, and sends nothing to anybody', () => {
    expect(minutes).toBeGreaterThanOrEqual(480);
    expect(environment['CHECKPOINT_DISABLE']).toBe('1');
  });
});

function githubPipeline() {
  const file = github.parse(read('github-actions.yaml'));
  return {
    steps: file.jobs.mesh.steps,
    minutes: file.jobs.mesh['timeout-minutes'],
    inputs: Object.keys(file.on.workflow_dispatch.inputs),
    environment: file.env,
  };
}

function azurePipeline() {
  const file = azure.parse(read('azure-pipelines.yaml'));
  const [job] = file.jobs;
  return {
    steps: job.steps,
    minutes: job.timeoutInMinutes,
    inputs: file.parameters.map(({ name }) => name),
    environment: file.variables,
  };
}

function read(name: string): unknown {
  return parse(readFileSync(`examples/pipelines/${name}`, 'utf8'));
}

function textOf({ run, script, inputs }: Step): string {
  return run ?? script ?? inputs?.inlineScript ?? '';
}
