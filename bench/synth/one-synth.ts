// One synth, for main.ts: prints the CPU seconds of this process and the bytes of the result.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sizes that differ from cluster to cluster. */
const SIZES = ['Standard_D2s_v5', 'Standard_D4s_v5', 'Standard_D8s_v5'];

const [mode, count] = process.argv.slice(2);
const bytes = mode === 'bare' ? 0 : await synthesize(mode === 'spec' ? Number(count) : undefined);
const { user, system } = process.cpuUsage();
process.stdout.write(`${((user + system) / 1e6).toFixed(2)} ${bytes}\n`);

async function synthesize(clusters: number | undefined): Promise<number> {
  const { App } = await import('../../constructs/cdk.js');
  const { MeshStack } = await import('../../stacks/mesh-stack.js');
  const { loadSpec } = await import('../../stacks/load-spec.js');
  const { settingsSchema } = await import('../../stacks/settings.js');
  const folder = mkdtempSync(join(tmpdir(), 'meshscale-bench-'));
  try {
    const app = new App({ outdir: folder });
    // Any file will do for the handler.
    const settings = settingsSchema.parse({ handlerFile: import.meta.filename });
    const spec = clusters === undefined ? undefined : loadSpec(specText(clusters), 'bench');
    new MeshStack(app, 'mesh', settings, spec);
    app.synth();
    return readFileSync(join(folder, 'stacks', 'mesh', 'cdk.tf.json')).length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function specText(clusters: number): string {
  return JSON.stringify({
    schemaVersion: 1,
    name: 'bench',
    region: 'eastus2euap',
    network: 'shared-vnet',
    clusters: Array.from({ length: clusters }, (_, index) => ({
      number: index + 1,
      nodes: 2 + (index % 5),
      nodeSize: SIZES[index % SIZES.length],
      plannedPodsPerNode: 8,
    })),
  });
}
