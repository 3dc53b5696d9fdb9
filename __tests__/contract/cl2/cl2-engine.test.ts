import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import type { Cl2Outcome } from '../../../model/cl2-outcome.js';
import { createCl2Engine } from '../../../workload/cl2/cl2-engine.js';
import { binaryExecutor } from '../../../workload/cl2/executors/binary-executor.js';
import { generateCl2 } from '../../../workload/cl2/generate.js';
import { readCl2Report } from '../../../workload/commands/cl2-report.js';
import { runAttempt } from '../../../workload/exec/attempt.js';
import type { AttemptRecord } from '../../../workload/exec/attempt-record.js';
import { objectsOf } from '../../../workload/exec/create-engine.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import { systemClock } from '../../../workload/platform/clock.js';
import { followProcess } from '../../../workload/platform/followed-process.js';
import { silentProgress } from '../../../workload/platform/progress.js';
import { startFakeCluster, type FakeCluster } from '../../helpers/fake-cluster.js';
import { buildFakeCl2, type FakeCl2 } from '../../helpers/fake-cl2.js';
import { plannedScenario } from '../../helpers/cl2-plan.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const TOKEN = 'a-token-that-nobody-may-read';
const QUICK = ['holdDuration=0s', 'apiServerCallsPerSecond=100', 'operationTimeout=10s'];

let fake: FakeCl2;
let cluster: FakeCluster;
beforeAll(async () => {
  fake = await buildFakeCl2();
});
afterAll(() => fake.remove());
// Real processes on a machine that may be busy.
jest.setTimeout(60_000);
beforeEach(async () => {
  cluster = await startFakeCluster();
});
afterEach(() => cluster.close());

interface Ran {
  readonly record: AttemptRecord;
  readonly outcome: Cl2Outcome | undefined;
  readonly log: string;
  readonly files: readonly string[];
  readonly secrets: readonly string[];
}

/** Runs config-smoke on the fake cluster by the stand-in. */
async function run(
  script: Readonly<Record<string, { ending: string; atStep?: number }>> = {},
  options: { readonly interruptAt?: string; readonly binary?: string } = {},
): Promise<Ran> {
  await fake.script(script);
  const { plan, catalogue } = await plannedScenario('config-smoke', QUICK);
  const [inventory] = plan.inventory.clusters;
  if (inventory === undefined) throw new Error('the plan has no cluster');
  const access = { server: cluster.url, credential: { kind: 'token', token: TOKEN } } as const;
  const client = createKubeClient(access, { clock: systemClock });
  const interrupt = new AbortController();
  const lines: string[] = [];
  const outcomes: Cl2Outcome[] = [];
  try {
    return await withTemporaryFolder(async (folder) => {
      const places = {
        input: join(folder, 'input'),
        report: join(folder, 'report'),
        secret: join(folder, 'private'),
      };
      const log = (line: string): void => {
        lines.push(line);
        if (options.interruptAt !== undefined && line.includes(options.interruptAt)) {
          interrupt.abort(new Error('Ctrl-C'));
        }
      };
      const engine = createCl2Engine({
        ...{ client, places, log, cluster: inventory, clock: systemClock, target: 'local' },
        objects: objectsOf(plan),
        job: generateCl2({ plan, catalogue, role: inventory.role, prometheus: 'existing' }),
        executor: binaryExecutor({
          binary: options.binary ?? fake.binary,
          clock: systemClock,
          follow: followProcess,
          settings: {},
        }),
        readReport: readCl2Report,
        onOutcome: (outcome) => outcomes.push(outcome),
      });
      const record = await runAttempt({
        ...{ role: inventory.role, attempt: 1, scenario: plan.scenario, engine, log },
        sync: {
          begin: () => Promise.resolve({ lag: undefined }),
          probesOf: () => Promise.resolve(),
          end: () => Promise.resolve(),
          leave: () => undefined,
        },
        clock: systemClock,
        progress: silentProgress,
        deadlineNs: systemClock.monoNs() + 60_000_000_000n,
        signal: interrupt.signal,
        endingOfAbort: () => ({ state: 'interrupted', text: 'the run was interrupted' }),
      });
      engine.stop();
      const files = await readdir(places.report).catch(() => []);
      const secrets = await readdir(places.secret).catch(() => []);
      return { record, outcome: outcomes.at(-1), log: lines.join('\n'), files, secrets };
    });
  } finally {
    await client.close();
  }
}

describe('ClusterLoader2 as an engine', () => {
  it('runs a scenario through its gates and leaves what was expected', async () => {
    const { record, outcome, files, secrets } = await run();
    expect(record.ending).toEqual({ state: 'finished' });
    expect(outcome).toEqual({ kind: 'passed' });
    expect(record.phases.map(({ name }) => name)).toEqual(['load', 'hold', 'delete']);
    expect(record.stimuli).toMatchObject([{ phase: 'load', asked: 100 }]);
    expect(files.filter((name) => name.endsWith('.json')).length).toBe(4);
    expect(files).toContain('junit.xml');
    expect(secrets).toEqual([]);
  });

  it('makes the objects of the native engine, labelled as ours', async () => {
    await run({ default: { ending: 'killed', atStep: 6 } });
    expect(cluster.names('namespaces')).toEqual(['ms-cs-1']);
    expect([...cluster.names('deployments')].sort()).toEqual(['cs-0', 'cs-1']);
    expect(cluster.names('services')).toEqual(['meshscale-gates', 'cs-0', 'cs-1']);
  });

  it('writes no secret into its log', async () => {
    const { log } = await run();
    expect(log).toContain('token: [redacted]');
    expect(log).not.toContain(TOKEN);
  });

  it.each([
    ['violation', 'violated', undefined],
    ['step-error', 'workload-failed', 'steps-failed'],
    ['namespaces-taken', 'infrastructure', 'namespaces-taken'],
    ['prometheus-timeout', 'infrastructure', 'prom-setup'],
    ['api-server-gone', 'infrastructure', 'apiserver-unreachable'],
    ['panic', 'killed', 'engine-killed'],
    ['killed', 'killed', 'engine-killed'],
    ['code-2', 'killed', 'engine-killed'],
    ['half-report', 'half-report', 'half-report'],
    ['torn-report', 'half-report', 'half-report'],
    ['silent-loss', 'silent-loss', 'silent-loss'],
    ['nothing', 'silent-loss', 'silent-loss'],
  ])(
    'tells the ending %s as %s',
    async (ending, kind, code) => {
      const { record, outcome } = await run({ default: { ending } });
      expect(outcome?.kind).toBe(kind);
      const failed = record.ending.state === 'failed' ? record.ending.code : undefined;
      expect(failed).toBe(ending === 'violation' ? 'steps-failed' : code);
    },
    30_000,
  );

  it('ends it when the user interrupts, and leaves no kubeconfig', async () => {
    const { record, outcome, secrets } = await run(
      { default: { ending: 'hang', atStep: 4 } },
      { interruptAt: '[step: 04]' },
    );
    expect(outcome).toEqual({ kind: 'interrupted' });
    expect(record.ending.state).toBe('interrupted');
    expect(secrets).toEqual([]);
  });

  it('fails without touching the cluster further when there is no binary', async () => {
    const { record } = await run({}, { binary: '/nowhere/clusterloader2' });
    expect(record.ending).toMatchObject({ state: 'failed', cause: 'infrastructure' });
    expect(cluster.names('deployments')).toEqual([]);
  });

  it('gives its kubeconfig to nobody else', async () => {
    await withTemporaryFolder(async (folder) => {
      const { plan, catalogue } = await plannedScenario('config-smoke');
      const [inventory] = plan.inventory.clusters;
      if (inventory === undefined) throw new Error('the plan has no cluster');
      const access = { server: cluster.url, credential: { kind: 'token', token: TOKEN } } as const;
      const client = createKubeClient(access, { clock: systemClock });
      const execution = await binaryExecutor({
        binary: fake.binary,
        clock: systemClock,
        follow: followProcess,
        settings: {},
      }).start({
        job: generateCl2({ plan, catalogue, role: 'mesh-001', prometheus: 'existing' }),
        cluster: inventory,
        target: 'local',
        client,
        input: join(folder, 'input'),
        report: join(folder, 'report'),
        secret: join(folder, 'private'),
        onLine: () => undefined,
        signal: new AbortController().signal,
      });
      const file = join(folder, 'private', 'mesh-001.kubeconfig');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(join(folder, 'private'))).mode & 0o777).toBe(0o700);
      expect(await readFile(file, 'utf8')).toContain(TOKEN);
      if (execution.state === 'started') await execution.execution.stop();
      await client.close();
    });
  });
});
