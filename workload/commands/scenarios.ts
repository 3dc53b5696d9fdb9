import type { Command } from 'commander';
import type { Scenario } from '../../model/scenario-spec.js';
import type { CommandContext } from './context.js';

/** `scenarios list` and `scenarios show NAME`. */
export function registerScenarios(program: Command, context: CommandContext): void {
  const scenarios = program.command('scenarios').description('what can be run, and its knobs');
  scenarios
    .command('list')
    .description('every scenario and the question it answers')
    .action(() => listScenarios(context));
  scenarios
    .command('show')
    .description('phases, probes, rules and knobs of one scenario')
    .argument('<name>', 'a name of scenarios list')
    .action((name: string) => showScenario(context, name));
}

async function listScenarios(context: CommandContext): Promise<void> {
  const { scenarioNames } = await import('../scenario/catalog.js');
  const { shippedFolders } = await import('../scenario/folders.js');
  const names = await scenarioNames(shippedFolders().scenarios);
  const all = await Promise.all(names.map(load));
  if (context.wantsJson()) {
    const scenarios = all.map(({ name, title, question, needs }) => ({
      name,
      title,
      question,
      needs,
    }));
    context.output.json({ schemaVersion: 1, scenarios });
    return;
  }
  const width = Math.max(...names.map((name) => name.length));
  for (const { name, question } of all) context.output.data(`${name.padEnd(width)}  ${question}`);
}

async function showScenario(context: CommandContext, name: string): Promise<void> {
  const { scenarioText } = await import('../scenario/scenario-text.js');
  const { scenarioSchema } = await import('../../model/scenario-spec.js');
  const { z } = await import('zod');
  const scenario = await load(name);
  if (context.wantsJson()) context.output.json(z.encode(scenarioSchema, scenario));
  else context.output.data(scenarioText(scenario));
}

async function load(name: string): Promise<Scenario> {
  const { findScenario } = await import('../scenario/catalog.js');
  const { shippedFolders } = await import('../scenario/folders.js');
  const { loadCatalogue } = await import('../measure/catalogue.js');
  const folders = shippedFolders();
  const catalogue = await loadCatalogue(folders.measurements);
  return (await findScenario(folders.scenarios, name, catalogue)).scenario;
}
