// Terraform's own CPU seconds for plan, apply and destroy of meshes of N clusters by network mode, with
// the exponent by which each grew since the last N. The provider is the stand-in and handlers end at once,
// so what is left is Terraform's own work on the graph.
//
//   npx tsx bench/terraform/main.ts peering 2 20 40
//   npx tsx bench/terraform/main.ts shared-vnet 2 20 40 100 250
import { join } from 'node:path';
import { withTerraformWorld } from '../../__tests__/helpers/terraform/terraform-world.js';
import type { TerraformWorld } from '../../__tests__/helpers/terraform/terraform-world.js';
import { measured } from './own-cpu.js';

const STEPS = ['plan', 'apply', 'no change', 'destroy'] as const;

/** CPU seconds by step. */
type Costs = Readonly<Record<(typeof STEPS)[number], number>>;

const [network = 'peering', ...sizes] = process.argv.slice(2);
process.stdout.write(`${network}: CPU seconds of terraform, and N^ since the line before\n`);
process.stdout.write(row(['N', 'resources', ...STEPS.flatMap((step) => [step, 'N^']), 'wall s']));
let before: { readonly n: number; readonly costs: Costs } | undefined;
for (const n of sizes.map(Number)) {
  const { resources, costs, wallSeconds } = await costsOf(n);
  const cells = STEPS.flatMap((step) => [costs[step].toFixed(2), exponent(step, n, costs)]);
  process.stdout.write(row([String(n), String(resources), ...cells, wallSeconds.toFixed(0)]));
  before = { n, costs };
}

async function costsOf(n: number) {
  let resources = 0;
  let costs: Costs | undefined;
  let wallSeconds = 0;
  await withTerraformWorld(
    async (world) => {
      const run = async (...args: readonly string[]) => {
        const ended = await measured(world.start(...args));
        if (ended.code !== 0) throw new Error(ended.text.slice(-2_000));
        wallSeconds += ended.wallSeconds;
        return ended.cpuSeconds;
      };
      const file = join(world.place.folder, 'bench.plan');
      const plan = await run('plan', '-input=false', `-var=clusters=${n}`, `-out=${file}`);
      const apply = await run('apply', '-input=false', file);
      const same = await run('plan', '-input=false', `-var=clusters=${n}`);
      resources = await resourcesIn(world);
      const destroy = await run('destroy', '-input=false', '-auto-approve');
      costs = { plan, apply, 'no change': same, destroy };
    },
    { network },
  );
  if (costs === undefined) throw new Error('nothing was measured');
  return { resources, costs, wallSeconds };
}

async function resourcesIn(world: TerraformWorld): Promise<number> {
  const { text } = await world.terraform('state', 'list');
  return text.trim().split('\n').length;
}

function exponent(step: (typeof STEPS)[number], n: number, costs: Costs): string {
  if (before === undefined) return '';
  return (Math.log(costs[step] / before.costs[step]) / Math.log(n / before.n)).toFixed(1);
}

function row(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.padStart(9)).join(' ')}\n`;
}
