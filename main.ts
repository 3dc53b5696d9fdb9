import { readFileSync } from 'node:fs';
import { App } from './constructs/cdk.js';
import { MeshStack } from './stacks/mesh-stack.js';
import { contextOf, readSettings } from './stacks/read-settings.js';

const app = new App({ context: contextOf(readFileSync('cdktf.json', 'utf8')) });
new MeshStack(app, 'mesh', readSettings(app.node.tryGetContext('meshscale')));
app.synth();
