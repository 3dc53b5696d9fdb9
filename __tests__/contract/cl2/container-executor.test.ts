import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  findContainerEngine,
  type ContainerEngine,
} from '../../../workload/cl2/executors/container-engine.js';
import { containerExecutor } from '../../../workload/cl2/executors/container-executor.js';
import type { Cl2Executor, Cl2Launch } from '../../../workload/cl2/executors/executor.js';
import { DEFAULT_RESOURCES } from '../../../workload/cl2/executors/job-settings.js';
import { removeRunContainers } from '../../../workload/cl2/executors/remove-containers.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import { systemClock } from '../../../workload/platform/clock.js';
import { followProcess } from '../../../workload/platform/followed-process.js';
import { systemProcesses } from '../../../workload/platform/system-processes.js';
import { cl2JobOf, inventoryOfTwo } from '../../helpers/cl2-plan.js';
import { createFakeDocker, type FakeDocker } from '../../helpers/fake-docker.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

jest.setTimeout(60_000);
let docker: FakeDocker;
beforeEach(async () => {
  docker = await createFakeDocker();
});
afterEach(() => docker.remove());

async function engineOf(fake: FakeDocker): Promise<ContainerEngine> {
  const found = await findContainerEngine({ processes: systemProcesses, env: fake.env });
  if (found instanceof Error) throw found;
  return found;
}

async function executor(fake: FakeDocker = docker): Promise<Cl2Executor> {
  return containerExecutor({
    engine: await engineOf(fake),
    settings: { image: 'cl2:1', resources: DEFAULT_RESOURCES, nodeSelector: {}, settings: {} },
    clock: systemClock,
    follow: followProcess,
    user: '1000:1000',
  });
}

interface Launched extends Cl2Launch {
  readonly lines: string[];
}

async function launchIn(folder: string, server = 'https://10.0.0.1:443'): Promise<Launched> {
  const [cluster] = inventoryOfTwo('kubeconfig').clusters;
  if (cluster === undefined) throw new Error('there is no cluster');
  const lines: string[] = [];
  return {
    ...{ cluster, lines, target: 'kubeconfig', job: await cl2JobOf('config-smoke') },
    client: createKubeClient({ server, credential: { kind: 'token', token: 'secret-token' } }),
    input: join(folder, 'input'),
    report: join(folder, 'report'),
    secret: join(folder, 'private'),
    onLine: (line) => void lines.push(line),
    signal: new AbortController().signal,
  };
}

/** What stands for the image. */
async function image(folder: string, ...script: readonly string[]): Promise<void> {
  const file = join(folder, 'image.sh');
  const report =
    'for word in "$@"; do case "$word" in --report-dir=*) report="${word#--report-dir=}";; esac; done';
  await writeFile(file, ['#!/bin/sh', report, ...script, ''].join('\n'));
  await chmod(file, 0o755);
  await docker.image('cl2:1', file);
}

async function start(launch: Launched) {
  const started = await (await executor()).start(launch);
  if (started.state === 'refused') throw started.error;
  return started.execution;
}

describe('ClusterLoader2 in a container', () => {
  it('gives its lines, its exit code and its report, and leaves no container and no kubeconfig', async () => {
    await withTemporaryFolder(async (folder) => {
      await image(folder, 'echo one', 'echo two >&2', 'echo x > "$report/junit.xml"', 'exit 1');
      const launch = await launchIn(folder);
      const execution = await start(launch);
      expect(await execution.ended).toEqual({ state: 'exited', code: 1 });
      expect([...launch.lines].sort()).toEqual(['one', 'two']);
      expect(await execution.collect()).toBeUndefined();
      expect(await readFile(join(launch.report, 'junit.xml'), 'utf8')).toBe('x\n');
      await expect(stat(join(launch.secret, 'mesh-001.kubeconfig'))).rejects.toThrow('ENOENT');
      const answer = await (await engineOf(docker)).run(['ps', '--all', '--quiet']);
      expect(answer).toEqual({ ok: true, text: '' });
    });
  });

  it('sees its input, a report folder and its kubeconfig, and changes only one of them', async () => {
    await withTemporaryFolder(async (folder) => {
      await image(folder, 'env | sort', 'exit 0');
      const launch = await launchIn(folder);
      const execution = await start(launch);
      await execution.ended;
      await execution.collect();
      const line = (await docker.calls()).find((call) => call.startsWith('run ')) ?? '';
      const mounts = line.split(' ').filter((word) => word.startsWith('--mount='));
      expect(mounts.map((one) => one.replaceAll(folder, ''))).toEqual([
        '--mount=type=bind,source=/input,target=/meshscale/input,readonly',
        '--mount=type=bind,source=/report,target=/meshscale/report',
        '--mount=type=bind,source=/private/mesh-001.kubeconfig,target=/meshscale/kubeconfig,readonly',
      ]);
      expect(line).toContain('--user=1000:1000');
      expect(line).toContain('--memory=2147483648b');
      expect(line).toContain(`--label=meshscale/run=${launch.job.run.id}`);
      expect(line).toContain('--label=meshscale/cluster=mesh-001');
      expect(line).not.toContain('secret-token');
      expect(line).not.toContain('--network');
      expect(launch.lines.join('\n')).not.toContain('FAKE_DOCKER');
    });
  });

  it('shares the network of this machine when the API server is on its loopback', async () => {
    await withTemporaryFolder(async (folder) => {
      await image(folder, 'exit 0');
      for (const server of [
        'https://127.0.0.1:6443',
        'https://localhost:6443',
        'https://[::1]:1',
      ]) {
        const execution = await start(await launchIn(folder, server));
        await execution.ended;
        await execution.collect();
      }
      const runs = (await docker.calls()).filter((call) => call.startsWith('run '));
      expect(runs.map((call) => call.includes('--network=host'))).toEqual([true, true, true]);
    });
  });

  it('loses no line and gives none twice when the log breaks off', async () => {
    await withTemporaryFolder(async (folder) => {
      const loop = 'i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "line $i"; sleep 0.05; done';
      await image(folder, loop);
      const launch = await launchIn(folder);
      const execution = await start(launch);
      while (launch.lines.length < 10) await systemClock.sleep(20);
      await docker.breakLogs();
      expect(await execution.ended).toEqual({ state: 'exited', code: 0 });
      expect(launch.lines).toEqual(Array.from({ length: 60 }, (_, index) => `line ${index + 1}`));
      await execution.collect();
    });
  });

  it('is found again by a second runner, and its first lines with it', async () => {
    await withTemporaryFolder(async (folder) => {
      await image(folder, 'echo one', 'sleep 1', 'echo two');
      const first = await launchIn(folder);
      await start(first);
      const second = await launchIn(folder);
      const execution = await (await executor()).reattach?.(second);
      expect(await execution?.ended).toEqual({ state: 'exited', code: 0 });
      expect(second.lines).toEqual(['one', 'two']);
      await execution?.collect();
      expect(await (await executor()).reattach?.(second)).toBeUndefined();
    });
  });

  it('takes the place of a container that the same run has left', async () => {
    await withTemporaryFolder(async (folder) => {
      await image(folder, 'sleep 60');
      await start(await launchIn(folder));
      await image(folder, 'exit 3');
      const execution = await start(await launchIn(folder));
      expect(await execution.ended).toEqual({ state: 'exited', code: 3 });
      await execution.collect();
    });
  });

  it('ends politely, and then for good', async () => {
    await withTemporaryFolder(async (folder) => {
      await image(folder, 'trap "" TERM', 'while true; do sleep 0.1; done');
      const execution = await start(await launchIn(folder));
      await execution.stop();
      expect(await execution.ended).toEqual({ state: 'exited', code: 137 });
      await execution.collect();
      expect((await docker.calls()).find((call) => call.startsWith('stop '))).toContain('-t 5');
    });
  });

  it('fails for an image that is not there, in the words of the engine', async () => {
    await withTemporaryFolder(async (folder) => {
      const launch = await launchIn(folder);
      expect(await (await executor()).start(launch)).toMatchObject({
        state: 'refused',
        error: {
          code: 'cl2/container-refused',
          problem: 'the container for mesh-001 was not started',
          given: expect.stringContaining('pull access denied for cl2:1'),
        },
      });
      await expect(stat(join(launch.secret, 'mesh-001.kubeconfig'))).rejects.toThrow('ENOENT');
    });
  });
});

describe('what a killed runner has left on this machine', () => {
  it('is found by the labels of its run, and by those of every run', async () => {
    await withTemporaryFolder(async (folder) => {
      await image(folder, 'sleep 60');
      const search = { processes: systemProcesses, env: docker.env };
      const launch = await launchIn(folder);
      await start(launch);
      expect(await removeRunContainers(search, 'another')).toBe(0);
      expect(await removeRunContainers(search, launch.job.run.id)).toBe(1);
      await start(launch);
      expect(await removeRunContainers(search, undefined)).toBe(1);
      const none = { processes: systemProcesses, env: { PATH: '/nowhere' } };
      expect(await removeRunContainers(none, undefined)).toBe(0);
    });
  });
});

describe('looking for a container engine', () => {
  it('takes podman where there is no docker, and then its own root for the user', async () => {
    const podman = await createFakeDocker('podman');
    try {
      expect(await engineOf(podman)).toMatchObject({ name: 'podman', version: '28.2.2' });
    } finally {
      await podman.remove();
    }
  });

  it('fails without any, and says what each of them answered', async () => {
    const env = { PATH: '/nowhere' };
    expect(await findContainerEngine({ processes: systemProcesses, env })).toMatchObject({
      code: 'cl2/no-container-engine',
      given: 'docker: not on PATH; podman: not on PATH',
      expected: 'docker or podman on PATH, with its service running',
    });
    await docker.stopService();
    const found = await findContainerEngine({ processes: systemProcesses, env: docker.env });
    expect(found).toMatchObject({
      given: expect.stringContaining('Cannot connect to the Docker daemon'),
    });
  });
});
