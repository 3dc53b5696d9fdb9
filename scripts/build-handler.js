// Bundles the fleet handler into the one file that Terraform runs at destroy: no dependencies, no
// folder of ours beside it. It travels as an asset and is started as `node fleet-drain.mjs <verb>`.
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The style card's limit: it stands in every synthesized stack. */
const MOST_BYTES = 50_000;

/** Sentences that only the pages under docs/ are made of don't travel. */
const withoutPageTexts = {
  name: 'without-page-texts',
  setup: (builder) => {
    builder.onLoad({ filter: /(errors|exit-codes)\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(
        /^(\s*(?:[\w'-]+: \{ code: \d+, )?)(?:meaning|when):\s*'[^'\n]*',?/gm,
        '$1',
      );
      return { contents, loader: 'ts' };
    });
  },
};

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const outfile = process.argv[2] ?? here('dist/handlers/fleet-drain.mjs');
await build({
  entryPoints: [here('fleet/drain-handler.ts')],
  outfile,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  charset: 'utf8',
  // Names of ours that stand in no file, answer or output.
  mangleProps: /^(budget|chance|clock|elapsed|monoNs|progress|remaining|rightsGrace|spent)$/,
  plugins: [withoutPageTexts],
  banner: { js: '// meshscale: Apache-2.0' },
});
const { size } = statSync(outfile);
if (size >= MOST_BYTES) {
  process.stderr.write(`${outfile} has ${size} bytes, the limit is ${MOST_BYTES}\n`);
  process.exitCode = 1;
}
