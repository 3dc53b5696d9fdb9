import { cl2Environment } from '../arguments.js';
import type { Cl2Job } from '../generate.js';

/** The environment of ClusterLoader2 in a container, whose image has a PATH of its own. */
export function containerEnvironment(
  job: Pick<Cl2Job, 'prometheus' | 'run'>,
  settings: Readonly<Record<string, string>>,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(cl2Environment(job, settings)).filter(([name]) => name !== 'PATH');
}
