import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Milliseconds } from '../../../model/quantity.js';
import type { Clock } from '../../platform/clock.js';
import {
  ensureDirectory,
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  writeAtomic,
} from '../../platform/files.js';
import type { FollowedProcess, FollowProcess } from '../../platform/followed-process.js';
import { cl2Arguments, cl2Environment } from '../arguments.js';
import { noBinary } from '../errors.js';
import { kubeconfigOf } from '../kubeconfig-of.js';
import type { Cl2Execution, Cl2Executor, Cl2Launch } from './executor.js';
import { writeInput } from './write-input.js';

/** What a process here needs. */
export interface BinaryExecutorOptions {
  readonly binary: string;
  readonly clock: Clock;
  readonly follow: FollowProcess;
  /** `CL2_PROMETHEUS_…` and the like. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Runs ClusterLoader2 as a process on this machine, one for each cluster. */
export function binaryExecutor(options: BinaryExecutorOptions): Cl2Executor {
  const { binary, follow, settings } = options;
  return async (launch) => {
    const { job, input, report, cluster, target } = launch;
    const kubeconfig = await writeKubeconfig(launch);
    await ensureDirectory(report);
    const { config, monitors } = await writeInput(job, input);
    const child = await follow({
      command: binary,
      args: cl2Arguments(job, cluster, target, { config, monitors, report, kubeconfig }),
      cwd: input,
      env: cl2Environment(job, settings),
      onLine: launch.onLine,
    });
    if (child === 'not-found') {
      await rm(kubeconfig, { force: true });
      return { state: 'refused', error: noBinary(binary) };
    }
    return { state: 'started', execution: executionOf(child, kubeconfig, options) };
  };
}

function executionOf(
  child: FollowedProcess,
  kubeconfig: string,
  { clock }: BinaryExecutorOptions,
): Cl2Execution {
  return {
    ended: child.ended,
    stop: async () => {
      child.signalGroup('SIGTERM');
      const over = new AbortController();
      const late = clock.sleep(GRACE, over.signal).then(
        () => 'late' as const,
        () => 'gone' as const,
      );
      const first = await Promise.race([child.ended.then(() => 'gone' as const), late]);
      over.abort();
      // Also when its leader is gone: what it started may have outlived it.
      child.signalGroup('SIGKILL');
      if (first === 'late') await child.ended;
    },
    collect: () => rm(kubeconfig, { force: true }),
  };
}

async function writeKubeconfig({ secret, access, cluster }: Cl2Launch): Promise<string> {
  await ensureDirectory(secret, PRIVATE_DIRECTORY);
  const file = join(secret, `${cluster.role}.kubeconfig`);
  await writeAtomic(file, kubeconfigOf(access, cluster.role), PRIVATE_FILE);
  return file;
}

/** Ours: it writes nothing on SIGTERM and needs no time; a container's init may. */
const GRACE: Milliseconds = 5_000;
