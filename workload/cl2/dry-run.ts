import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UserError } from '../../model/user-error.js';
import type { Processes } from '../platform/processes.js';
import { ensureDirectory, PRIVATE_FILE, writeAtomic } from '../platform/files.js';
import { cl2Refused, noBinary } from './errors.js';
import { writeInput } from './executors/write-input.js';
import type { Cl2Job } from './generate.js';
import { kubeconfigOf } from './kubeconfig-of.js';

/**
 * ClusterLoader2's own dry run, without a cluster. Its exit code means nothing, it is always 1; only
 * its log says whether the config was taken. @see data/clusterloader2.md §6.3
 */
export async function dryRun(
  job: Cl2Job,
  binary: string,
  processes: Processes,
  signal: AbortSignal,
): Promise<readonly UserError[]> {
  const folder = await mkdtemp(join(tmpdir(), 'meshscale-dry-run-'));
  try {
    const report = join(folder, 'report');
    const kubeconfig = join(folder, 'kubeconfig');
    await ensureDirectory(report);
    // Nothing listens there: the one question that it asks all the same fails at once.
    const nowhere = { server: 'https://127.0.0.1:1', credential: { kind: 'none' } } as const;
    await writeAtomic(kubeconfig, kubeconfigOf(nowhere, 'nowhere'), PRIVATE_FILE);
    const { config } = await writeInput(job, join(folder, 'input'));
    const args = [
      ...['--provider=kind', `--kubeconfig=${kubeconfig}`, '--nodes=1', '--k8s-clients-number=1'],
      ...['--skip-cluster-verification', '--enable-exec-service=false', '--dry-run', '--port=0'],
      ...[`--report-dir=${report}`, `--testconfig=${config}`, '--v=2'],
    ];
    const result = await processes.run({ command: binary, args, cwd: folder, env: {}, signal });
    if (result.state === 'not-found') return [noBinary(binary)];
    const log = result.stderr;
    if (log.includes('Dry run mode enabled')) return [];
    const fatal = [...log.matchAll(/^F\d{4} [^\]]*\] (.*)$/gm)].at(-1)?.[1];
    return [cl2Refused(fatal ?? log.slice(-LONGEST))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const LONGEST = 1_000;
