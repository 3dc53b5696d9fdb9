import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../../model/row.js';
import { runVerdictSchema, type RunVerdict } from '../../model/verdict.js';
import { localKubeAccess } from '../../local/access.js';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import { systemClock } from '../../workload/platform/clock.js';
import { waitFor } from '../../workload/platform/wait.js';
import { attemptOutcomeSchema, type AttemptOutcome } from '../../model/attempt-outcome.js';
import { coverageFileSchema, type CoverageFile } from '../../workload/results/coverage-file.js';
import { cli, startCli, type CliResult, type RunningCli } from './cli.js';
import type { LocalMesh } from './local-mesh.js';

/** The clusters of every mesh of these tests. */
export const ROLES = ['mesh-001', 'mesh-002'] as const;

/** A small load: what is tested is what happens when something breaks. */
const SMALL = [
  ['namespaces', '1'],
  ['deploymentsPerNamespace', '2'],
  ['replicasPerDeployment', '2'],
  ['apiServerCallsPerSecond', '1'],
  ['operationTimeout', '2m'],
  ['settleDuration', '1s'],
  ['drainDuration', '6s'],
  ['idleProbes', '2'],
  ['burstProbes', '2'],
  ['probeBudget', '8s'],
  ['idleLimit', '1m'],
].flatMap(([knob, value]) => ['--set', `${knob ?? ''}=${value ?? ''}`]);

/** A run that has ended, with everything that it left. */
export interface EndedRun {
  readonly code: number | null;
  readonly said: string;
  readonly stderr: string;
  readonly folder: string;
}

/** What stands in a run folder; each file has been read by its own schema. */
export interface RunResults {
  readonly rows: readonly Row[];
  readonly verdict: RunVerdict;
  readonly coverage: CoverageFile;
  readonly outcome: (role: string) => Promise<AttemptOutcome>;
  /** Rows of a measurement. */
  readonly of: (measurement: string) => readonly Row[];
}

/** Small runs on a mesh, in a folder of their own. */
export interface MeshRuns {
  readonly out: string;
  /** Starts a run and does `fault` once it has said `at`; other flags come last. */
  withFault(at: string, fault: () => Promise<void> | void, ...flags: string[]): Promise<EndedRun>;
  start(...flags: readonly string[]): RunningCli;
  run(...flags: readonly string[]): Promise<EndedRun>;
  /** What a command line that has ended says and left. */
  ended(result: CliResult): Promise<EndedRun>;
  remove(): Promise<void>;
}

/** Makes a folder for runs on this mesh. */
export async function createMeshRuns({ stateDir }: LocalMesh): Promise<MeshRuns> {
  const out = await mkdtemp(join(tmpdir(), 'runs-'));
  const command = (flags: readonly string[]): readonly string[] => [
    ...['run', 'first-look', '--state', stateDir, '--out', out],
    ...SMALL,
    ...flags,
  ];
  const ended = async ({ code, stdout, stderr }: CliResult): Promise<EndedRun> => {
    const newest = (await readdir(out)).sort().at(-1) ?? '';
    return { code, stderr, said: `${stderr}${stdout}`, folder: join(out, newest) };
  };
  return {
    out,
    ended,
    run: async (...flags) => ended(await cli(command(flags))),
    start: (...flags) => startCli(command(flags)),
    withFault: async (at, fault, ...flags) => {
      const running = startCli(command(flags));
      await said(running, at);
      await fault();
      return ended(await running.ended);
    },
    remove: () => rm(out, { recursive: true, force: true }),
  };
}

/** Reads what every run leaves, whatever happened to it; throws for what is missing or no such file. */
export async function resultsOf(folder: string): Promise<RunResults> {
  const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const lines = (await text('rows.jsonl')).trimEnd().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as Row);
  if (!(await text('report.html')).includes('<svg')) throw new Error('the report has no drawing');
  return {
    rows,
    verdict: runVerdictSchema.parse(JSON.parse(await text('verdict.json'))),
    coverage: coverageFileSchema.parse(JSON.parse(await text('coverage.json'))),
    outcome: async (role) =>
      attemptOutcomeSchema.parse(JSON.parse(await text(`clusters/${role}/attempt-1/outcome.json`))),
    of: (measurement) => rows.filter((row) => row.measurement === measurement),
  };
}

/** Names of the namespaces of ours that stand in these clusters. */
export async function ourNamespaces(
  { stateDir }: LocalMesh,
  roles: readonly string[] = ROLES,
): Promise<readonly string[]> {
  const found = await Promise.all(
    roles.map(async (role) => {
      const client = createKubeClient(await localKubeAccess(stateDir, role));
      const query = { labelSelector: 'app.kubernetes.io/managed-by=meshscale' };
      const { items } = await client.list('/api/v1/namespaces', { query });
      await client.close();
      return items.map(({ metadata }) => `${role}/${metadata.name}`);
    }),
  );
  return found.flat();
}

/** Waits until a command line has said something; fails when it ends before. */
export async function said(running: RunningCli, text: string): Promise<void> {
  const bounds = { clock: systemClock, budget: SAID_BUDGET, period: 20 };
  const seen = await waitFor(bounds, () => {
    const over = running.child.exitCode !== null || running.child.signalCode !== null;
    if (running.text().includes(text) || over) {
      return Promise.resolve({ state: 'ready', value: undefined });
    }
    return Promise.resolve({ state: 'waiting', missing: [text] });
  });
  if (seen.state === 'timed-out' || !running.text().includes(text)) {
    throw new Error(`"${text}" was never said:\n${running.text()}`);
  }
}

/** On a machine that may be busy. */
const SAID_BUDGET = 180_000;
