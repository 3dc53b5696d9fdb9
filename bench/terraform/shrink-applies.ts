// How many applies of the mesh a shrink costs, with the real handler and the Fleet service. Leaves that
// Terraform runs at the same time share one, so ⌈k / parallelism⌉ are expected for k clusters that go.
//
//   npx tsx bench/terraform/shrink-applies.ts [from 22] [to 2]
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { initializeMesh } from '../../__tests__/helpers/terraform/terraform-world.js';
import { runTerraform } from '../../__tests__/helpers/terraform/run-terraform.js';
import { startAzureWorld } from '../../sim/azurerm-provider/azure-world.js';

/** Real milliseconds without a request before the service's time jumps. */
const IDLE_MS = 25;

const [from = 22, to = 2] = process.argv.slice(2).map(Number);
const gone = from - to;
process.stdout.write(`${from} to ${to} clusters\nparallelism  expected  applies  requests\n`);
for (const parallelism of [4, 10]) {
  const { applies, requests } = await shrink(parallelism);
  const expected = Math.ceil(gone / parallelism);
  const cells = [parallelism, expected, applies, requests].map((cell) => String(cell).padStart(8));
  process.stdout.write(`${cells.join('  ')}\n`);
}

async function shrink(parallelism: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ms-bench-'));
  const handlerFile = join(folder, 'fleet-drain.mjs');
  execFileSync('node', ['scripts/build-handler.js', handlerFile]);
  const azure = await startAzureWorld({ folder, idle: () => pass(IDLE_MS) });
  try {
    const settings = { network: 'shared-vnet', handlerFile };
    const place = await initializeMesh(folder, azure.environment, settings);
    const apply = async (clusters: number) => {
      const flags = ['-input=false', '-auto-approve', `-parallelism=${parallelism}`];
      const { code, text } = await runTerraform(place, [
        'apply',
        ...flags,
        `-var=clusters=${clusters}`,
      ]);
      if (code !== 0) throw new Error(text.slice(-2_000));
    };
    await apply(from);
    const { journal } = azure.service.state;
    const before = journal.length;
    await apply(to);
    const seen = journal.slice(before);
    const applies = seen.filter(({ method, path }) => method === 'POST' && /\/apply\b/.test(path));
    return { applies: applies.length, requests: seen.length };
  } finally {
    await azure.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
