import { resolve } from 'node:path';
import type { Inventory } from '../../model/inventory.js';
import type { RunPlan } from '../../model/run-plan.js';
import { throwAll, throwRefusal } from '../../model/user-error.js';
import { checkJob } from '../cl2/check-job.js';
import { dryRun } from '../cl2/dry-run.js';
import { writeInput } from '../cl2/executors/write-input.js';
import { generateCl2, type Cl2Job } from '../cl2/generate.js';
import { parsePrometheusMode } from '../cl2/prometheus-mode.js';
import { loadCatalogue, type Catalogue } from '../measure/catalogue.js';
import { readIfThere } from '../platform/files.js';
import { findScenario } from '../scenario/catalog.js';
import { shippedFolders } from '../scenario/folders.js';
import { loadScenario, type LoadedScenario } from '../scenario/load.js';
import { planRun } from '../scenario/plan.js';
import type { CommandContext } from './context.js';
import { findBinary } from './find-binary.js';

/** The flags of `validate`. */
export interface ValidateFlags {
  readonly set: readonly string[];
  readonly prometheus: string;
  readonly cl2Binary?: string;
  readonly out?: string;
}

/** Checks a scenario as a run would, and what ClusterLoader2 would be given; throws all that is wrong. */
export async function validate(
  given: string,
  flags: ValidateFlags,
  context: CommandContext,
): Promise<void> {
  const prometheus = parsePrometheusMode(flags.prometheus);
  const folders = shippedFolders();
  const catalogue = await loadCatalogue(folders.measurements);
  const loaded = await loadGiven(given, folders.scenarios, catalogue, context);
  const plan = planFor(loaded, catalogue, flags, context);
  const job = generateCl2({ plan, catalogue, role: ROLE, prometheus });
  throwAll(checkJob(job));
  if (flags.cl2Binary !== undefined) {
    const binary = await findBinary(flags.cl2Binary, context);
    throwAll(await dryRun(job, binary, context.processes, context.signal));
  }
  if (flags.out !== undefined) await writeInput(job, resolve(context.cwd, flags.out));
  tell(plan, job, flags, context);
}

/** A path that is there is a file; everything else is a name. */
async function loadGiven(
  given: string,
  scenarios: string,
  catalogue: Catalogue,
  { cwd }: CommandContext,
): Promise<LoadedScenario> {
  const file = resolve(cwd, given);
  const text = /\.ya?ml$/.test(given) ? await readIfThere(file) : undefined;
  if (text === undefined) return await findScenario(scenarios, given, catalogue);
  const result = loadScenario(text, file, catalogue);
  return result.ok ? result.loaded : throwRefusal(result.errors, file);
}

function planFor(
  loaded: LoadedScenario,
  catalogue: Catalogue,
  { set }: ValidateFlags,
  { clock, random }: CommandContext,
): RunPlan {
  const about = { loaded, catalogue, inventory: TWO_CLUSTERS, settings: set, clock, random };
  const result = planRun({ ...about, seed: 0, engine: 'clusterloader2', versions: {} });
  return result.ok ? result.plan : throwRefusal(result.errors, 'the plan');
}

function tell(
  { scenario, expected }: RunPlan,
  job: Cl2Job,
  { prometheus, cl2Binary, out }: ValidateFlags,
  context: CommandContext,
): void {
  const { output } = context;
  const { cases, files } = job.expected;
  if (context.wantsJson()) {
    output.json({
      schemaVersion: 1,
      scenario: scenario.name,
      prometheus,
      cases,
      files,
      errors: [],
    });
    return;
  }
  const dry = cl2Binary === undefined ? '' : '; ClusterLoader2 takes it in its dry run';
  output.data(`✓ ${scenario.name}: ${scenario.title}${dry}`);
  output.data(`  measurements  ${expected.length}`);
  output.data(`  steps         ${job.steps.length}, ${cases.length + 1} cases in junit.xml`);
  output.data(
    `  files         ${files.length} summaries by ClusterLoader2 (--prometheus ${prometheus})`,
  );
  output.data(`  clients       ${job.clients} (--k8s-clients-number)`);
  if (out !== undefined) output.data(`  written to    ${out}`);
}

const ROLE = 'mesh-001';

/** Clusters that can show everything: what a target cannot show must not hide a mistake. */
const TWO_CLUSTERS: Inventory = {
  schemaVersion: 1,
  target: 'kubeconfig',
  meshName: 'validate',
  createdAt: '2026-01-01T00:00:00.000Z',
  partial: false,
  expectedClusters: 2,
  network: { mode: 'none' },
  clusters: [1, 2].map((number) => ({
    role: `mesh-00${number}`,
    number,
    nodes: 1,
    podCidrs: [],
    nodeCidrs: [],
    serviceCidrs: [],
    podNetwork: 'flat',
    datapath: true,
    access: { kind: 'kubeconfig', file: '', context: '' },
  })),
};
