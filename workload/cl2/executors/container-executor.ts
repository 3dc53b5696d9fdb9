import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Milliseconds } from '../../../model/quantity.js';
import type { Clock } from '../../platform/clock.js';
import { ensureDirectory } from '../../platform/files.js';
import type { FollowProcess } from '../../platform/followed-process.js';
import { containerArguments, containerLabels, containerName } from './container-arguments.js';
import type { ContainerEngine } from './container-engine.js';
import { containerGone, containerRefused, outOfMemory } from './errors.js';
import type { Cl2End, Cl2Execution, Cl2Executor, Cl2Launch } from './executor.js';
import type { JobSettings } from './job-settings.js';
import { createLogPosition, type LogPosition } from './log-position.js';
import { removeLabelled } from './remove-containers.js';
import { writeInput } from './write-input.js';
import { writeKubeconfig } from './write-kubeconfig.js';

/** What containers need. */
export interface ContainerExecutorOptions {
  readonly engine: ContainerEngine;
  readonly settings: JobSettings;
  readonly clock: Clock;
  readonly follow: FollowProcess;
  /** `uid:gid` of ours. */
  readonly user?: string | undefined;
}

/**
 * Runs ClusterLoader2 in a container on this machine, one for each cluster. The container is started
 * in the background and followed by its log, so that it outlives its runner and is found again.
 */
export function containerExecutor(options: ContainerExecutorOptions): Cl2Executor {
  const { engine, settings, user } = options;
  return {
    // Its image may have to be pulled; `run` waits for that itself.
    startBudget: PULL_BUDGET,
    start: async (given) => {
      const launch = absolute(given);
      const kubeconfig = await writeKubeconfig(launch);
      await ensureDirectory(launch.report);
      await writeInput(launch.job, launch.input);
      // One of an earlier attempt has the same name.
      await removeLabelled(engine, containerLabels(launch));
      const request = { launch, settings, engine, kubeconfig, user };
      const started = await engine.run(containerArguments(request));
      if (!started.ok) {
        await engine.run(['rm', '--force', containerName(launch)]);
        await rm(kubeconfig, { force: true });
        return { state: 'refused', error: containerRefused(launch.cluster.role, started.text) };
      }
      return { state: 'started', execution: executionOf(launch, kubeconfig, options) };
    },
    reattach: async (given) => {
      const launch = absolute(given);
      const found = await engine.run(['inspect', '--format', '{{.Id}}', containerName(launch)]);
      if (!found.ok) return undefined;
      const kubeconfig = await writeKubeconfig(launch);
      return executionOf(launch, kubeconfig, options);
    },
  };
}

function executionOf(
  launch: Cl2Launch,
  kubeconfig: string,
  options: ContainerExecutorOptions,
): Cl2Execution {
  const { engine } = options;
  const name = containerName(launch);
  return {
    ended: followContainer(launch, options),
    stop: async () => {
      // SIGTERM, and after the grace SIGKILL: the engine does both.
      const stopped = await engine.run(['stop', '-t', String(GRACE_SECONDS), name]);
      if (!stopped.ok) await engine.run(['kill', name]);
    },
    collect: async () => {
      await engine.run(['rm', '--force', '--volumes', name]);
      await rm(kubeconfig, { force: true });
      return undefined;
    },
  };
}

/** A log that broke off while its container runs is read on: the service may have been restarted. */
async function followContainer(
  launch: Cl2Launch,
  options: ContainerExecutorOptions,
): Promise<Cl2End> {
  const { engine, clock, settings } = options;
  const { role } = launch.cluster;
  const position = createLogPosition();
  for (let blind = 0; ;) {
    await readLog(launch, position, options);
    const state = await stateOf(engine, containerName(launch));
    if (state.state === 'ended') {
      // What was written between the log's end and the container's.
      await readLog(launch, position, options);
      if (!state.outOfMemory) return { state: 'exited', code: state.code };
      const error = outOfMemory(role, settings.resources.memoryLimit);
      return { state: 'lost', error, retryable: false };
    }
    blind = state.state === 'running' ? 0 : blind + 1;
    if (state.state === 'unknown' && (blind >= BLIND_LOOKS || GONE.test(state.text))) {
      return { state: 'lost', error: containerGone(role, state.text), retryable: false };
    }
    await clock.sleep(PERIOD);
  }
}

async function readLog(
  { onLine, input, job, cluster }: Cl2Launch,
  position: LogPosition,
  { engine, follow }: ContainerExecutorOptions,
): Promise<void> {
  const since = position.since();
  position.reopened();
  const child = await follow({
    command: engine.name,
    args: [
      'logs',
      '--follow',
      '--timestamps',
      ...(since === undefined ? [] : [`--since=${since}`]),
      containerName({ job, cluster }),
    ],
    cwd: input,
    env: engine.env,
    onLine: (line) => {
      const text = position.take(line);
      if (text !== undefined) onLine(text);
    },
  });
  if (child !== 'not-found') await child.ended;
}

type ContainerState =
  | { readonly state: 'running' }
  | { readonly state: 'ended'; readonly code: number; readonly outOfMemory: boolean }
  | { readonly state: 'unknown'; readonly text: string };

async function stateOf(engine: ContainerEngine, name: string): Promise<ContainerState> {
  const answer = await engine.run(['inspect', '--format', STATE, name]);
  if (!answer.ok) return { state: 'unknown', text: answer.text };
  const [running, code, outOfMemory] = answer.text.trim().split(' ');
  if (running === 'true') return { state: 'running' };
  return { state: 'ended', code: Number(code), outOfMemory: outOfMemory === 'true' };
}

/** A relative source of a mount would be the name of a volume. */
function absolute(launch: Cl2Launch): Cl2Launch {
  const { input, report, secret } = launch;
  return {
    ...launch,
    input: resolve(input),
    report: resolve(report),
    secret: resolve(secret),
  };
}

const STATE = '{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}';
/** Ours: it writes nothing on SIGTERM. */
const GRACE_SECONDS = 5;
const PERIOD: Milliseconds = 1_000;
/** Docker and podman say it in their own ways. */
const GONE = /no such (container|object)|no container with name/i;
/** Ours: as long as a service needs that is restarted. */
const BLIND_LOOKS = 30;
const PULL_BUDGET: Milliseconds = 300_000;
