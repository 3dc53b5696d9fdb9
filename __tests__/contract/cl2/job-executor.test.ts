import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Cl2End, Cl2Execution } from '../../../workload/cl2/executors/executor.js';
import type { KubeClient } from '../../../workload/kube/kube-client.js';
import { startJobWorld, type JobWorld, type TestLaunch } from '../../helpers/job-world.js';

let world: JobWorld;
beforeAll(async () => {
  world = await startJobWorld();
}, 120_000);
afterAll(() => world.stop());
afterEach(() => world.clean());
// A real API server, and processes on a machine that may be busy.
jest.setTimeout(120_000);

const JOB = '/apis/batch/v1/namespaces/meshscale-cl2/jobs/clusterloader2';
const BINDING = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/meshscale-cl2-read';

/** Says so many numbered lines, writes a report, and ends with 1. */
const SPEAKS = (lines: number, pause = '0.01'): readonly string[] => [
  'i=0',
  `while [ $i -lt ${lines} ]; do i=$((i+1)); echo "line $i"; sleep ${pause}; done`,
  'echo "<testsuite/>" > "$report/junit.xml"',
  'echo "{}" > "$report/GenericPrometheusQuery X_t_2026-05-15T02:00:00Z.json"',
  'exit 1',
];
const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`);

async function start(launch: TestLaunch, budgets = {}): Promise<Cl2Execution> {
  const started = await world.executor(budgets).start(launch);
  if (started.state === 'refused') throw started.error;
  return started.execution;
}

async function status(client: KubeClient, path: string): Promise<number> {
  return (await client.request('GET', path)).status;
}

function lostOf(end: Cl2End) {
  if (end.state !== 'lost') throw new Error(`it was not lost: ${JSON.stringify(end)}`);
  const { code, problem, given, next } = end.error;
  return { code, problem, given, next, retryable: end.retryable };
}

describe('ClusterLoader2 as a Job', () => {
  it('gives its lines, its exit code and its report, and leaves no Job and no right', async () => {
    await world.image(SPEAKS(50));
    const launch = await world.launch();
    const execution = await start(launch);
    expect(await status(launch.client, BINDING)).toBe(200);
    expect(await execution.ended).toEqual({ state: 'exited', code: 1 });
    expect(launch.lines).toEqual(numbered(50));
    expect(await execution.collect()).toBeUndefined();
    expect(await launch.files()).toEqual({
      'junit.xml': 13,
      'GenericPrometheusQuery X_t_2026-05-15T02:00:00Z.json': 3,
    });
    expect(await status(launch.client, JOB)).toBe(404);
    expect(await status(launch.client, BINDING)).toBe(404);
  });

  it('loses no line and gives none twice when the log breaks, again and again', async () => {
    await world.image(SPEAKS(300));
    const launch = await world.launch();
    let said = 0;
    world.player.onLine = () => {
      said += 1;
      if (said % 70 === 0) world.player.kubelet.breakLogs();
    };
    const before = world.player.kubelet.opened();
    const execution = await start(launch);
    expect(await execution.ended).toEqual({ state: 'exited', code: 1 });
    expect(world.player.kubelet.opened() - before).toBeGreaterThan(3);
    expect(launch.lines).toEqual(numbered(300));
    expect(await execution.collect()).toBeUndefined();
  });

  it('goes on when the API server was away', async () => {
    await world.image(SPEAKS(400, '0.02'));
    const launch = await world.launch();
    const execution = await start(launch);
    while (launch.lines.length < 20) await new Promise((resolve) => setTimeout(resolve, 50));
    await world.kube.kill();
    await world.kube.restart();
    expect(await execution.ended).toEqual({ state: 'exited', code: 1 });
    expect(launch.lines).toEqual(numbered(400));
    expect(await execution.collect()).toBeUndefined();
  });

  it('fetches a large report whole over connections that break', async () => {
    await world.image([
      'head -c 11000000 /dev/urandom > "$report/large.bin"',
      'sha256sum < "$report/large.bin" | cut -c1-64 > "$report/large.sum"',
    ]);
    const launch = await world.launch();
    const execution = await start(launch);
    expect(await execution.ended).toEqual({ state: 'exited', code: 0 });
    world.player.kubelet.breakExecs(3);
    expect(await execution.collect()).toBeUndefined();
    expect((await launch.files())['large.bin']).toBe(11_000_000);
  });

  it('is found again by a second runner, with every line from the first one', async () => {
    await world.image(SPEAKS(200, '0.02'));
    const first = await world.launch();
    await start(first, { silent: 1_000 });
    while (first.lines.length < 10) await new Promise((resolve) => setTimeout(resolve, 50));
    await first.client.close();
    const second = await world.launch();
    const execution = await world.executor().reattach?.(second);
    expect(await execution?.ended).toEqual({ state: 'exited', code: 1 });
    expect(second.lines).toEqual(numbered(200));
    expect(await execution?.collect()).toBeUndefined();
    expect(await second.read('junit.xml')).toContain('testsuite');
    expect(await world.executor().reattach?.(second)).toBeUndefined();
  });

  it('keeps what it has until a runner comes that fetches it', async () => {
    await world.image(SPEAKS(5));
    const first = await world.launch();
    const gone = await start(first, { silent: 1_000 });
    await gone.ended;
    await first.client.close();
    const second = await world.launch();
    const execution = await world.executor().reattach?.(second);
    expect(await execution?.ended).toEqual({ state: 'exited', code: 1 });
    expect(second.lines).toEqual(numbered(5));
    expect(await execution?.collect()).toBeUndefined();
    expect(await second.read('junit.xml')).toContain('testsuite');
  });

  it('is gone with its process when it is stopped', async () => {
    await world.image(SPEAKS(10_000));
    const launch = await world.launch();
    const execution = await start(launch);
    while (launch.lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await execution.stop();
    expect(await execution.ended).toEqual({ state: 'signalled', signal: 'SIGTERM' });
    expect(await status(launch.client, JOB)).toBe(404);
    expect(await execution.collect()).toBeUndefined();
    expect(await launch.files()).toEqual({});
  });

  it('lets its run end when the API server is dead', async () => {
    await world.image(SPEAKS(10_000));
    const launch = await world.launch();
    const execution = await start(launch);
    while (launch.lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await world.kube.kill();
    try {
      await execution.stop();
      expect(await execution.ended).toEqual({ state: 'signalled', signal: 'SIGTERM' });
      expect(await execution.collect()).toBeUndefined();
    } finally {
      await world.kube.restart();
    }
  });

  it('takes the place of a Job that the same run has left', async () => {
    await world.image(SPEAKS(10_000));
    const first = await world.launch();
    await start(first, { silent: 1_000 });
    await first.client.close();
    await world.image(SPEAKS(3));
    const second = await world.launch();
    const execution = await start(second);
    expect(await execution.ended).toEqual({ state: 'exited', code: 1 });
    expect(second.lines).toEqual(numbered(3));
    await execution.collect();
  });

  it('fails for an evicted pod with the cluster and what to do, and may be tried again', async () => {
    await world.image(SPEAKS(10_000));
    world.player.fate = { evictedAt: 'line 20' };
    const execution = await start(await world.launch());
    expect(lostOf(await execution.ended)).toEqual({
      code: 'cl2/pod-evicted',
      problem: 'the pod of ClusterLoader2 on mesh-001 was evicted',
      given: 'Evicted: The node was low on resource: memory.',
      next: expect.stringContaining('--cl2-resources'),
      retryable: true,
    });
    expect(await execution.collect()).toBeUndefined();
  });

  it('fails for an image that cannot be pulled, after a time for a busy registry', async () => {
    world.player.fate = 'image-not-there';
    const execution = await start(await world.launch(), { pulled: 1_500 });
    expect(lostOf(await execution.ended)).toMatchObject({
      code: 'cl2/image-not-pulled',
      problem: 'mesh-001 cannot pull the image registry.test/cl2:1',
      given: expect.stringContaining('ImagePullBackOff'),
    });
    await execution.collect();
  });

  it('fails for a pod that no node takes, with the words of the scheduler', async () => {
    world.player.fate = 'unschedulable';
    const execution = await start(await world.launch(), { scheduled: 1_500 });
    expect(lostOf(await execution.ended)).toMatchObject({
      code: 'cl2/pod-not-scheduled',
      given: expect.stringContaining('Insufficient memory'),
      retryable: false,
    });
    await execution.collect();
  });

  it('fails for a Job of which nobody makes a pod', async () => {
    world.player.fate = 'never-made';
    const execution = await start(await world.launch(), { podMade: 1_500 });
    expect(lostOf(await execution.ended).code).toBe('cl2/pod-not-made');
    await execution.collect();
  });

  it('fails before the load is over when nobody can keep the results', async () => {
    world.player.fate = 'no-shell';
    const execution = await start(await world.launch());
    expect(lostOf(await execution.ended)).toMatchObject({
      code: 'cl2/helper-not-started',
      given: expect.stringContaining('"sh": executable file not found'),
      next: expect.stringContaining('--cl2-helper-image'),
    });
    await execution.collect();
  });

  it('fails for a pod that somebody removed', async () => {
    await world.image(SPEAKS(10_000));
    const launch = await world.launch();
    const execution = await start(launch);
    while (launch.lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const [pod] = world.player.played.slice(-1);
    const path = `/api/v1/namespaces/meshscale-cl2/pods/${pod ?? ''}`;
    await launch.client.request('DELETE', path, { gracePeriodSeconds: 0 });
    expect(lostOf(await execution.ended).code).toBe('cl2/pod-gone');
    await execution.collect();
  });

  it('may load the namespaces of its run, and do nothing else', async () => {
    await world.image(SPEAKS(10_000));
    const launch = await world.launch();
    const execution = await start(launch);
    const may = async (verb: string, resource: string, group = '', namespace?: string) => {
      const attributes = {
        verb,
        resource,
        group,
        ...(namespace === undefined ? {} : { namespace }),
      };
      const user = 'system:serviceaccount:meshscale-cl2:clusterloader2';
      const body = { spec: { user, resourceAttributes: attributes } };
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
      const answer = await launch.client.request('POST', path, body);
      return answer.ok && (answer.body as { status: { allowed: boolean } }).status.allowed;
    };
    expect(await may('create', 'deployments', 'apps', 'ms-cs-1')).toBe(true);
    expect(await may('delete', 'services', '', 'ms-cs-1')).toBe(true);
    expect(await may('watch', 'pods')).toBe(true);
    expect(await may('create', 'deployments', 'apps', 'default')).toBe(false);
    expect(await may('get', 'secrets', '', 'ms-cs-1')).toBe(false);
    expect(await may('delete', 'namespaces')).toBe(false);
    await execution.stop();
    await execution.collect();
  });

  it('fails for a namespace that belongs to another run', async () => {
    const launch = await world.launch();
    const path = '/api/v1/namespaces/meshscale-cl2';
    await launch.client.request('POST', '/api/v1/namespaces', {
      metadata: { name: 'meshscale-cl2' },
    });
    const label = (run: string) =>
      launch.client.patch(path, 'merge', {
        metadata: { labels: { 'app.kubernetes.io/managed-by': 'meshscale', 'meshscale/run': run } },
      });
    await label('another');
    expect(await world.executor().start(launch)).toMatchObject({
      state: 'refused',
      error: {
        code: 'cl2/job-namespace-taken',
        exit: 'busy',
        problem: 'mesh-001 has the namespace meshscale-cl2 already',
        given: 'it belongs to the run another',
      },
    });
    await label(launch.job.run.id);
  });

  it('fails for an account that may not make what a Job needs, in the words of the API server', async () => {
    const started = await world.executor().start(await world.launch(world.kube.stranger));
    expect(started).toMatchObject({
      state: 'refused',
      error: {
        code: 'cl2/job-refused',
        problem: 'mesh-001 does not let us make the namespace meshscale-cl2',
        given: expect.stringContaining('Forbidden'),
      },
    });
  });
});
