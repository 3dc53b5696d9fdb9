import { isIP } from 'node:net';
import type { Bytes } from '../../../model/quantity.js';
import { cl2Arguments } from '../arguments.js';
import type { ContainerEngine } from './container-engine.js';
import { containerEnvironment } from './container-environment.js';
import type { Cl2Launch } from './executor.js';
import { jobLabels } from './job-objects.js';
import type { JobSettings } from './job-settings.js';

/** The label that tells the clusters of a run apart. */
const CLUSTER_LABEL = 'meshscale/cluster';

/** What a container is started with. */
export interface ContainerRequest {
  readonly launch: Cl2Launch;
  readonly settings: JobSettings;
  readonly engine: Pick<ContainerEngine, 'name'>;
  readonly kubeconfig: string;
  /** `uid:gid` of ours. @default - the image's user */
  readonly user?: string | undefined;
}

/** The name of the one container of a run for a cluster. */
export function containerName({ job, cluster }: Pick<Cl2Launch, 'job' | 'cluster'>): string {
  return `meshscale-${job.run.id}-${cluster.role}`;
}

/** Its labels, `name=value`: by these the containers of a run and cluster are found. */
export function containerLabels({ job, cluster }: Pick<Cl2Launch, 'job' | 'cluster'>) {
  const labels = { ...jobLabels(job), [CLUSTER_LABEL]: cluster.role };
  return Object.entries(labels).map(([name, value]) => `${name}=${value}`);
}

/**
 * The arguments of `run`. Input and kubeconfig are read-only, the report is a folder of ours; nothing
 * else of this machine is seen, and the environment is ClusterLoader2's alone.
 */
export function containerArguments(request: ContainerRequest): readonly string[] {
  const { launch, settings, kubeconfig } = request;
  const { job, cluster, target, client, input, report } = launch;
  const places = {
    config: `${INPUT}/${job.configFile}`,
    monitors: `${INPUT}/monitors`,
    report: REPORT,
    kubeconfig: KUBECONFIG,
  };
  const { command, image } = settings;
  return [
    'run',
    '--detach',
    `--name=${containerName(launch)}`,
    ...containerLabels(launch).map((label) => `--label=${label}`),
    ...(isLoopback(client.access.server) ? ['--network=host'] : []),
    ...userOf(request),
    `--mount=type=bind,source=${input},target=${INPUT},readonly`,
    `--mount=type=bind,source=${report},target=${REPORT}`,
    `--mount=type=bind,source=${kubeconfig},target=${KUBECONFIG},readonly`,
    ...containerEnvironment(job, settings.settings).map(
      ([name, value]) => `--env=${name}=${value}`,
    ),
    `--memory=${quantityBytes(settings.resources.memoryLimit)}b`,
    ...(command === undefined ? [] : [`--entrypoint=${command}`]),
    image,
    ...cl2Arguments(job, cluster, target, places),
  ];
}

/** A container has a loopback of its own. */
function isLoopback(server: string): boolean {
  const host = new URL(server).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  return host.startsWith('127.') || host === '::1';
}

/** Podman without root makes us the root of its containers; docker has to be told whose files they are. */
function userOf({ engine, user }: ContainerRequest): readonly string[] {
  return user === undefined || engine.name === 'podman' ? [] : [`--user=${user}`];
}

/** A Kubernetes quantity in bytes. */
function quantityBytes(text: string): Bytes {
  const match = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(text);
  const factor = FACTORS[match?.[2] ?? ''] ?? 1;
  return Math.round(Number(match?.[1] ?? 0) * factor);
}

const FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};
const INPUT = '/meshscale/input';
const REPORT = '/meshscale/report';
const KUBECONFIG = '/meshscale/kubeconfig';
