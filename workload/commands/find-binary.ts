import { resolve } from 'node:path';
import { noBinary, notCl2 } from '../cl2/errors.js';
import type { CommandContext } from './context.js';

/** The executable of `--cl2-binary` or MESHSCALE_CL2_BINARY; it has to answer like ClusterLoader2. */
export async function findBinary(
  flag: string | undefined,
  { env, cwd, processes, signal }: CommandContext,
): Promise<string> {
  const given = flag ?? env['MESHSCALE_CL2_BINARY'];
  if (given === undefined || given === '') throw noBinary(undefined);
  const binary = resolve(cwd, given);
  const answer = await processes.run({ command: binary, args: ['--help'], env: {}, signal });
  if (answer.state === 'not-found') throw noBinary(binary);
  const text = answer.state === 'ended' ? answer.stdout + answer.stderr : answer.stderr;
  if (!text.includes('--testconfig') || !text.includes('--k8s-clients-number'))
    throw notCl2(binary);
  return binary;
}
