import { join } from 'node:path';
import { loadCatalogue } from '../workload/measure/catalogue.js';
import { findScenario, scenarioNames } from '../workload/scenario/catalog.js';
import { shippedFolders } from '../workload/scenario/folders.js';
import type { Scenario } from '../model/scenario-spec.js';

/** Where the page lies. */
export const SCENARIO_PAGE = join(import.meta.dirname, '..', 'docs', 'scenarios.md');

/** The text of `docs/scenarios.md`, not yet aligned: each scenario with its knobs, made from the scenario files. */
export async function scenarioPage(): Promise<string> {
  const folders = shippedFolders();
  const catalogue = await loadCatalogue(folders.measurements);
  const sections: string[] = [];
  for (const name of await scenarioNames(folders.scenarios)) {
    const { scenario } = await findScenario(folders.scenarios, name, catalogue);
    sections.push(section(scenario));
  }
  return `${[HEAD, ...sections].join('\n\n')}\n`;
}

const HEAD = `# Scenarios and their knobs

This page is made from \`scenarios/*/scenario.yaml\` by \`npm run generate\`.
Set a knob with \`meshscale run NAME --set knob=value\`; durations need a unit, such as \`90s\`.`;

function section({ name, title, question, knobs }: Scenario): string {
  const rows = Object.entries(knobs).map(
    ([knob, { unit, default: value, min, max, doc, source }]) =>
      `| \`${knob}\` | ${unit} | ${value} | ${min} … ${max} | ${doc} | ${source} |`,
  );
  return [
    `## ${name}`,
    '',
    `**${title}.** ${question}`,
    '',
    '| knob | unit | default | bounds | what it does | default from |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
