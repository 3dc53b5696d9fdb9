import { badArgument } from '../../fleet/errors.js';
import type { CommandContext } from './context.js';

/** The subscription that clusters are looked for in: a variable, else that of the Azure CLI. */
export async function azureSubscription(context: CommandContext): Promise<string> {
  const { env, processes, signal } = context;
  const given = env['AZURE_SUBSCRIPTION_ID'] ?? env['ARM_SUBSCRIPTION_ID'];
  if (given !== undefined && given !== '') return given;
  const args = ['account', 'show', '--query', 'id', '--output', 'tsv'];
  const ended = await processes.run({ command: 'az', args, env, signal });
  const id = ended.state === 'ended' && ended.exitCode === 0 ? ended.stdout.trim() : '';
  if (id !== '') return id;
  const expected = 'the id of a subscription';
  const problem = 'it is not known which subscription is meant';
  throw badArgument('AZURE_SUBSCRIPTION_ID', problem, undefined, expected);
}
