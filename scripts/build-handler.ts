// Bundles the handler that Terraform starts at apply and at destroy into one file without
// dependencies: dist/handlers/fleet-drain.mjs (npm run build:handler).
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

await build({
  absWorkingDir: root,
  entryPoints: ['fleet/drain-handler.ts'],
  outfile: 'dist/handlers/fleet-drain.mjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'none',
  minify: true,
  logLevel: 'warning',
});
