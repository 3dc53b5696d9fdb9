import { readFileSync } from 'node:fs';
import { App } from '../constructs/cdk.js';
import { BootstrapStack } from './bootstrap-stack.js';
import { contextOf, readSettings } from './read-settings.js';
import { runApp } from './run-app.js';

// An app of its own, as who deploys it is somebody else: --app 'node scripts/synth.js stacks/bootstrap-app.ts'
process.exitCode = runApp(
  () => {
    const app = new App({ context: contextOf(readFileSync('cdktf.json', 'utf8')) });
    const { backend } = readSettings(app.node.tryGetContext('meshscale'));
    // Beside the state of the mesh, not in its place.
    const own =
      backend.kind === 'azurerm' ? { ...backend, key: `bootstrap.${backend.key}` } : backend;
    new BootstrapStack(app, 'bootstrap', { backend: own });
    app.synth();
  },
  (line) => void process.stderr.write(`${line}\n`),
);
