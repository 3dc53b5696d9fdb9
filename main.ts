import { readFileSync } from 'node:fs';
import { App } from './constructs/cdk.js';
import { loadSpec } from './stacks/load-spec.js';
import { MeshStack } from './stacks/mesh-stack.js';
import { contextOf, readSettings } from './stacks/read-settings.js';

const app = new App({ context: contextOf(readFileSync('cdktf.json', 'utf8')) });
const settings = readSettings(app.node.tryGetContext('meshscale'));
const file = settings.spec;
const spec = file === undefined ? undefined : loadSpec(readFileSync(file, 'utf8'), file);
new MeshStack(app, 'mesh', settings, spec);
app.synth();
