import { readFileSync } from 'node:fs';
import { App } from './constructs/cdk.js';
import { readSpec } from './stacks/load-spec.js';
import { MeshStack } from './stacks/mesh-stack.js';
import { contextOf, readSettings } from './stacks/read-settings.js';
import { runApp } from './stacks/run-app.js';

process.exitCode = runApp(
  () => {
    const app = new App({ context: contextOf(readFileSync('cdktf.json', 'utf8')) });
    const settings = readSettings(app.node.tryGetContext('meshscale'));
    const spec = settings.spec === undefined ? undefined : readSpec(settings.spec);
    new MeshStack(app, 'mesh', settings, spec);
    app.synth();
  },
  (line) => void process.stderr.write(`${line}\n`),
);
