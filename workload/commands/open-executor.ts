import { userInfo } from 'node:os';
import { binaryExecutor } from '../cl2/executors/binary-executor.js';
import { containerExecutor } from '../cl2/executors/container-executor.js';
import { findContainerEngine } from '../cl2/executors/container-engine.js';
import type { Cl2Executor } from '../cl2/executors/executor.js';
import { jobExecutor } from '../cl2/executors/job-executor.js';
import { JOB_ACCOUNT, JOB_NAMESPACE } from '../cl2/executors/job-settings.js';
import { createPodStreams } from '../kube/pod-streams.js';
import { followProcess } from '../platform/followed-process.js';
import type { ExecutorChoice } from './cl2-flags.js';
import type { CommandContext } from './context.js';
import { findBinary } from './find-binary.js';
import type { RunFlags } from './run-flags.js';

/** Makes the executor that was chosen; what it needs of this machine is looked for before anything. */
export async function openExecutor(
  choice: ExecutorChoice,
  flags: RunFlags,
  context: CommandContext,
): Promise<Cl2Executor> {
  const { clock, env, processes } = context;
  switch (choice.kind) {
    case 'binary': {
      const binary = await findBinary(flags.cl2Binary, context);
      return binaryExecutor({ binary, clock, follow: followProcess, settings: choice.settings });
    }
    case 'container': {
      const engine = await findContainerEngine({ processes, env });
      if (engine instanceof Error) throw engine;
      const { settings } = choice;
      return containerExecutor({ engine, settings, clock, follow: followProcess, user: ownUser() });
    }
    case 'job':
      return jobExecutor({ settings: choice.settings, clock, openStreams: createPodStreams });
  }
}

/** What it will make, for somebody who only wants to know. */
export function describeExecutor(choice: ExecutorChoice): readonly string[] {
  switch (choice.kind) {
    case 'binary':
      return ['executor      binary: a process of ClusterLoader2 here for each cluster'];
    case 'container': {
      const { image, resources } = choice.settings;
      return [
        `executor      container: one here for each cluster, at most ${resources.memoryLimit} of memory`,
        `image         ${image}`,
      ];
    }
    case 'job':
      return describeJob(choice.settings);
  }
}

function describeJob(settings: Extract<ExecutorChoice, { kind: 'job' }>['settings']) {
  const { image, helperImage = image, resources, nodeSelector } = settings;
  const { cpu, memory, memoryLimit } = resources;
  const nodes = Object.entries(nodeSelector).map(([name, value]) => `${name}=${value}`);
  return [
    `executor      job: in each cluster, in the namespace ${JOB_NAMESPACE}:`,
    `              Job, ConfigMaps, ServiceAccount ${JOB_ACCOUNT}, two ClusterRoles and their bindings`,
    `image         ${image} (results kept by ${helperImage})`,
    `resources     ${cpu} of CPU, ${memory} of memory, at most ${memoryLimit}`,
    `nodes         ${nodes.length === 0 ? 'any that is not type=kwok' : nodes.join(', ')}`,
  ];
}

/** Windows has no numbers for users, and no need of them. */
function ownUser(): string | undefined {
  const { uid, gid } = userInfo();
  return uid < 0 ? undefined : `${uid}:${gid}`;
}
