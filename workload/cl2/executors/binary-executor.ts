import { rm } from 'node:fs/promises';
import type { Milliseconds } from '../../../model/quantity.js';
import type { Clock } from '../../platform/clock.js';
import { ensureDirectory } from '../../platform/files.js';
import type { FollowedProcess, FollowProcess } from '../../platform/followed-process.js';
import { cl2Arguments, cl2Environment } from '../arguments.js';
import { noBinary } from '../errors.js';
import type { Cl2Execution, Cl2Executor } from './executor.js';
import { writeInput } from './write-input.js';
import { writeKubeconfig } from './write-kubeconfig.js';

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
  return {
    start: async (launch) => {
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
    },
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
    collect: async () => {
      await rm(kubeconfig, { force: true });
      return undefined;
    },
  };
}

/** Ours: it writes nothing on SIGTERM and needs no time; a container's init may. */
const GRACE: Milliseconds = 5_000;
