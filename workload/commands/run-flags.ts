import type { Command } from 'commander';

/** The flags by which a command is told which clusters it works on. */
export interface TargetFlags {
  readonly target: string;
  readonly inventory?: string;
  readonly contexts?: string;
  readonly kubeconfig?: string;
  readonly state?: string;
}

/** The flags of `run`. */
export interface RunFlags extends TargetFlags {
  readonly engine: string;
  readonly set: readonly string[];
  readonly seed?: string;
  readonly parallel?: string;
  readonly out: string;
  readonly dryRun?: boolean;
}

/** Adds the flags of {@link TargetFlags}. */
export function withTarget(command: Command): Command {
  return command
    .option('--target <where>', 'local or kubeconfig', 'local')
    .option('--inventory <F>', 'inventory file of the clusters')
    .option('--contexts <a,b>', 'contexts of a kubeconfig, one for each cluster')
    .option('--kubeconfig <F>', 'kubeconfig file (default: $KUBECONFIG, ~/.kube/config)')
    .option('--state <DIR>', 'state folder of the local mesh (default: $MESHSCALE_HOME/mesh)');
}

/** Collects `--set a=1 --set b=2`. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
