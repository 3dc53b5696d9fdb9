import type { Command } from 'commander';

/** The flags by which a command is told which clusters it works on. */
export interface TargetFlags {
  readonly target: string;
  readonly inventory?: string;
  readonly contexts?: string;
  readonly kubeconfig?: string;
  readonly state?: string;
  /** `namespace/name:port` of the Prometheus in each cluster of a kubeconfig. */
  readonly prometheusService?: string;
}

/** The flags of `run`. */
export interface RunFlags extends TargetFlags {
  readonly engine: string;
  readonly set: readonly string[];
  readonly seed?: string;
  readonly parallel?: string;
  readonly out: string;
  readonly dryRun?: boolean;
  /** Whether the clusters are looked through before the load. @default auto */
  readonly smoke?: string;
  /** @default - the image of Kubernetes' own tests */
  readonly smokeImage?: string;
  /** How ClusterLoader2 is run. @default binary */
  readonly executor?: string;
  readonly cl2Binary?: string;
  /** `own` or `existing`. @default existing */
  readonly prometheus?: string;
  /** `CL2_…=value`, for ClusterLoader2's own Prometheus. */
  readonly cl2Set?: readonly string[];
  /** For the executors `container` and `job`. @default - $MESHSCALE_CL2_IMAGE */
  readonly cl2Image?: string;
  /** Keeps the results of a Job. @default - the image itself */
  readonly cl2HelperImage?: string;
  /** The executable in the image. @default - its entry point */
  readonly cl2Command?: string;
  /** `cpu=500m,memory=512Mi,memory-limit=2Gi` */
  readonly cl2Resources?: string;
  /** `label=value` of the nodes that Jobs may run on. */
  readonly cl2NodeSelector?: readonly string[];
  /** Logs of the mesh's own pods of every attempt, and not of failed ones only. @default false */
  readonly podLogs?: boolean;
}

/** Adds the flags of {@link TargetFlags}. */
export function withTarget(command: Command): Command {
  return command
    .option('--target <where>', 'local, kubeconfig or azure', 'local')
    .option('--inventory <F>', 'inventory file of the clusters')
    .option('--contexts <a,b>', 'contexts of a kubeconfig, one for each cluster')
    .option('--kubeconfig <F>', 'kubeconfig file (default: $KUBECONFIG, ~/.kube/config)')
    .option(
      '--prometheus-service <S>',
      'namespace/name:port of the Prometheus in clusters of a kubeconfig (default: monitoring/prometheus-k8s:9090)',
    )
    .option('--state <DIR>', 'state folder of the local mesh (default: $MESHSCALE_HOME/mesh)');
}

/** Adds the flags of the smoke test. */
export function withSmoke(command: Command, when: string): Command {
  return command
    .option('--smoke <when>', `whether clusters reach each other: auto, always or never`, when)
    .option('--smoke-image <image>', 'an image with agnhost, for the smoke test of the data path');
}

/** Adds the flags that concern ClusterLoader2. */
export function withCl2(command: Command): Command {
  return command
    .option('--executor <how>', 'how ClusterLoader2 is run: binary, container or job', 'binary')
    .option('--cl2-binary <F>', 'ClusterLoader2 (default: $MESHSCALE_CL2_BINARY)')
    .option('--cl2-image <I>', 'its image, for container and job (default: $MESHSCALE_CL2_IMAGE)')
    .option('--cl2-command <C>', 'its executable in the image (default: the entry point)')
    .option('--cl2-helper-image <I>', 'an image with sh and tar, for job (default: --cl2-image)')
    .option('--cl2-resources <R>', 'cpu=500m,memory=512Mi,memory-limit=2Gi, for container and job')
    .option('--cl2-node-selector <l=v>', 'nodes for job; may be repeated', collect, [])
    .option(
      '--pod-logs',
      "keep the logs of the mesh's pods of every attempt, not of failed ones only",
    )
    .option('--prometheus <whose>', "existing, or ClusterLoader2's own", 'existing')
    .option('--cl2-set <CL2_X=v>', 'a setting of its own Prometheus; may be repeated', collect, []);
}

/** Collects `--set a=1 --set b=2`. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
