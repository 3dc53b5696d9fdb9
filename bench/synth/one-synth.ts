// One synth, for main.ts: prints the CPU seconds of this process and the bytes of the result.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from '../../constructs/cdk.js';
import { loadSpec } from '../../stacks/load-spec.js';
import { MeshStack } from '../../stacks/mesh-stack.js';
import { settingsSchema } from '../../stacks/settings.js';

/** Sizes that differ from cluster to cluster. */
const SIZES = ['Standard_D2s_v5', 'Standard_D4s_v5', 'Standard_D8s_v5'];

const [mode, count] = process.argv.slice(2);
const bytes = synthesize(mode === 'spec' ? Number(count) : undefined);
const { user, system } = process.cpuUsage();
process.stdout.write(`${((user + system) / 1e6).toFixed(2)} ${bytes}\n`);

function synthesize(clusters: number | undefined): number {
  const folder = mkdtempSync(join(tmpdir(), 'meshscale-bench-'));
  try {
    const app = new App({ outdir: folder });
    // Any file will do for the handler.
    const settings = settingsSchema.parse({ handlerFile: 'cdktf.json' });
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
