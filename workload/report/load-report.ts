import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { RunVerdict } from '../../model/verdict.js';
import type { CoverageFile } from '../results/coverage-file.js';
import { readRows } from '../results/jsonl-store.js';
import { quantiles } from '../../model/percentiles.js';
import { readCoverage, readVerdict } from '../results/read-results.js';
import { readRun, type RunFolder } from '../results/read-run.js';
import { ceilingOf } from './ceiling.js';
import { gatherValues } from './control-plane-values.js';
import { readJournal } from './journal-marks.js';
import { limiterRates } from './limiter-rates.js';
import { appearedSeries, linksOf, removedSeries } from './propagation.js';
import type { ReportCluster, ReportModel } from './report-model.js';
import { restartDemands } from './restart-demand.js';

/**
 * Reads a run folder, new or old, into what the report shows. `verdict.json`, `coverage.json` and
 * `rows.jsonl` must be there (collect writes them); everything else may be missing.
 */
export async function loadReport(path: string): Promise<ReportModel> {
  const run = await readRun(path);
  const problems: string[] = [...run.facts.probes.problems];
  const journal = await readJournal(path);
  const verdict = await readVerdict(path);
  const coverage = await readCoverage(path);
  const gatherer = gatherValues();
  for await (const line of readRows(join(path, 'rows.jsonl'))) {
    if (line.ok) gatherer.see(line.row);
    else problems.push(`rows.jsonl line ${line.line}: ${line.reason}`);
  }
  const clusters = clustersOf(run, verdict, journal.phases);
  const [head, values] = [headOf(run, verdict, coverage), gatherer.values()];
  return {
    ...head,
    clusters,
    values,
    limiters: limiterRates(head.ceiling, values),
    marks: journal.marks,
    endedAt: journal.endedAt ?? lastEnd(run),
    files: await filesOf(path),
    problems: [...problems, ...journal.problems],
  };
}

function headOf(
  { plan, facts }: RunFolder,
  verdict: RunVerdict,
  coverage: CoverageFile,
): Omit<
  ReportModel,
  'clusters' | 'values' | 'limiters' | 'marks' | 'endedAt' | 'files' | 'problems'
> {
  const { namespaces, deploymentsPerNamespace: deployments, replicasPerDeployment } = facts.shape;
  const pods = (namespaces ?? 0) * (deployments ?? 0) * (replicasPerDeployment ?? 0);
  const services = (namespaces ?? 0) * (deployments ?? 0);
  const lines = facts.probes.lines;
  return {
    runId: facts.runId,
    scenario: facts.scenario,
    title: plan.scenario.title,
    question: plan.scenario.question,
    target: facts.target,
    engine: facts.engine,
    startedAt: facts.startedAt,
    seed: plan.seed,
    workload: `${pods} pods and ${services} Services in each cluster`,
    verdict,
    coverage,
    links: linksOf(
      lines,
      facts.clusters.map((cluster) => cluster.role),
    ),
    appeared: appearedSeries(lines),
    removed: removedSeries(lines),
    floor: quantiles(facts.probes.floor.flatMap((sample) => sample.delta_ms ?? [])),
    ceiling: ceilingOf(plan.rates, facts.meshSize),
    demands: restartDemands(plan.scenario, plan.rates, facts.meshSize),
    versions: plan.versions,
  };
}

function clustersOf(
  { plan, facts }: RunFolder,
  verdict: RunVerdict,
  journalPhases: ReadonlyMap<string, ReportCluster['phases']>,
): readonly ReportCluster[] {
  return verdict.clusters.map(({ cluster, judgement }) => {
    const attempts = facts.attempts.filter((attempt) => attempt.cluster === cluster);
    const outcome = attempts.findLast((attempt) => attempt.outcome !== undefined)?.outcome;
    const phases = outcome?.phases ?? [];
    return {
      role: cluster,
      judgement,
      facts: plan.inventory.clusters.find((one) => one.role === cluster),
      // A runner that was killed left no outcome; its journal still knows the phases.
      phases: phases.length > 0 ? phases : (journalPhases.get(cluster) ?? []),
      stimuli: outcome?.stimuli ?? [],
      attempts: attempts.length,
    };
  });
}

function lastEnd({ facts }: RunFolder): string | undefined {
  return facts.attempts
    .flatMap((attempt) => attempt.outcome?.endedAt ?? [])
    .sort()
    .at(-1);
}

/** Files worth opening, relative to the run folder; a report of 100 clusters does not list every log. */
async function filesOf(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => WORTH_OPENING.test(file))
    .sort()
    .slice(0, MOST_FILES);
}

const WORTH_OPENING =
  /^(plan\.json|journal\.jsonl|rows\.jsonl|coverage\.json|verdict\.json|junit\.xml|summary\.txt|probes\/[^/]+\.jsonl|clusters\/[^/]+\/attempt-\d+\/(engine\.log|outcome\.json|report\/junit\.xml))$/;

/** Our choice: keeps the page below 1 MB at 100 clusters. */
const MOST_FILES = 400;
