#!/usr/bin/env node
// Plain JavaScript, so that it runs straight after `npm ci`: dist/ when it was built (the installed
// package, or after `npm run build`), the TypeScript sources otherwise.
import { existsSync } from 'node:fs';

const built = new URL('../dist/workload/cli.js', import.meta.url);
const sources = new URL('../workload/cli.ts', import.meta.url);

const entry = existsSync(built) ? built : await loadableSources();
const { main } = await import(entry.href);
await main(process.argv);

async function loadableSources() {
  const { register } = await import('tsx/esm/api');
  register();
  return sources;
}
