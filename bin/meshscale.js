#!/usr/bin/env node
// Plain JavaScript, so that it runs straight after `npm ci`: dist/ when it was built (the installed
// package, or after `npm run build`), the TypeScript sources otherwise.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const built = new URL('../dist/workload/cli.js', import.meta.url);

const entry = existsSync(built) ? built : await bundledSources();
const { main } = await import(entry.href);
await main(process.argv);

async function bundledSources() {
  const { bundledCli } = await import('./bundle-sources.js');
  return pathToFileURL(await bundledCli(fileURLToPath(new URL('..', import.meta.url))));
}
