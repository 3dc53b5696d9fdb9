import { join } from 'node:path';
import { ensureDirectory, writeAtomic } from '../../platform/files.js';
import type { Cl2Job } from '../generate.js';

/** Writes config, templates and PodMonitors of a job, and says where ClusterLoader2 finds them. */
export async function writeInput(
  job: Cl2Job,
  folder: string,
): Promise<{ readonly config: string; readonly monitors: string }> {
  const monitors = join(folder, 'monitors');
  await ensureDirectory(folder);
  for (const { file, text } of job.files) await writeAtomic(join(folder, file), text);
  if (job.monitors.length > 0) await ensureDirectory(monitors);
  for (const { file, text } of job.monitors) await writeAtomic(join(monitors, file), text);
  return { config: join(folder, job.configFile), monitors };
}
