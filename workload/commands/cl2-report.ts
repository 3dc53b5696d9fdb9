import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cl2Report, ReadCl2Report } from '../cl2/outcome.js';
import { errorCode, readIfThere } from '../platform/files.js';
import { readJunit } from '../results/junit-in.js';

/** Reads a report folder with the readers of the results, which stand above the engine. */
export const readCl2Report: ReadCl2Report = async (folder) => ({
  junit: junitOf(await readIfThere(join(folder, 'junit.xml'))),
  files: await filesIn(folder),
});

function junitOf(text: string | undefined): Cl2Report['junit'] {
  const junit = readJunit(text);
  if (junit.state !== 'read') return junit;
  const failing = junit.failing.map(({ name, text: said }) => ({ step: name, text: said }));
  return { state: 'read', cases: junit.cases, failing };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
