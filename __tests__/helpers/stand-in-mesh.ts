import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { attemptOutcomeSchema, type AttemptOutcome } from '../../model/attempt-outcome.js';
import { clusterRoles } from '../../model/cluster-identity.js';
import { startCli, type RunningCli } from './cli.js';
import { buildFakeCl2, type FakeEnding } from './fake-cl2.js';

/** Many clusters without a control plane, and stand-ins of ClusterLoader2 that load them. */
export interface StandInMesh {
  readonly roles: readonly string[];
  readonly out: string;
  /** Which ending each cluster's stand-in takes. */
  script(endings: Readonly<Record<string, FakeEnding>>): Promise<void>;
  /** `meshscale run config-smoke --engine clusterloader2` over all of them. */
  run(flags: readonly string[]): RunningCli;
  resume(folder: string, flags?: readonly string[]): RunningCli;
  /** The newest run folder. */
  folder(): Promise<string>;
  remove(): Promise<void>;
}

/** Starts the clusters in one process of their own, and bundles the stand-in. */
export async function startStandInMesh(count: number): Promise<StandInMesh> {
  const folder = await mkdtemp(join(tmpdir(), 'stand-ins-'));
  const fake = await buildFakeCl2();
  const { child, urls } = await startClusters(folder, count);
  const roles = clusterRoles(count);
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(roles, urls)));
  const out = join(folder, 'runs');
  const target = ['--target', 'kubeconfig', '--kubeconfig', kubeconfig];
  const env = { MESHSCALE_CL2_BINARY: fake.binary, CI: 'true' };
  return {
    roles,
    out,
    script: fake.script,
    run: (flags) =>
      startCli(
        [
          ...['run', 'config-smoke', '--engine', 'clusterloader2', '--out', out],
          ...[...target, '--contexts', roles.join(','), ...flags],
        ],
        { env },
      ),
    resume: (run, flags = []) => startCli(['resume', run, ...flags], { env }),
    folder: async () => join(out, (await readdir(out)).sort().at(-1) ?? ''),
    remove: async () => {
      const gone = once(child, 'exit');
      child.stdin?.end();
      await gone;
      await fake.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** How a cluster's newest attempt ended: the code of its failure, or its state. */
export async function endingOf(folder: string, role: string): Promise<string> {
  const { ending } = await newestOutcome(folder, role);
  return ending.state === 'failed' ? ending.code : ending.state;
}

async function newestOutcome(folder: string, role: string): Promise<AttemptOutcome> {
  const attempts = join(folder, 'clusters', role);
  const newest = (await readdir(attempts)).sort().at(-1) ?? '';
  const text = await readFile(join(attempts, newest, 'outcome.json'), 'utf8');
  return attemptOutcomeSchema.parse(JSON.parse(text));
}

async function startClusters(
  folder: string,
  count: number,
): Promise<{ readonly child: ChildProcess; readonly urls: readonly string[] }> {
  const outfile = join(folder, 'clusters.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'fake-clusters-main.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' },
    logLevel: 'silent',
  });
  const child = spawn(process.execPath, [outfile, String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  return { child, urls: JSON.parse(first) as string[] };
}

function kubeconfigOf(roles: readonly string[], urls: readonly string[]): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: roles.map((name, index) => ({ name, cluster: { server: urls[index] ?? '' } })),
    users: [{ name: 'user', user: {} }],
    contexts: roles.map((name) => ({ name, context: { cluster: name, user: 'user' } })),
  };
}
