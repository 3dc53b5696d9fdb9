import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { App, TerraformStack, type Construct } from '../../../constructs/cdk.js';
import { FleetHandler } from '../../../constructs/fleet-handler.js';
import { AzurermProvider, NullProvider } from '../../../constructs/providers.js';
import { MeshStack } from '../../../stacks/mesh-stack.js';
import type { LoadedSpec } from '../../../stacks/load-spec.js';
import { settingsSchema } from '../../../stacks/settings.js';
import { RECORDING_HANDLER, type SettingsInput } from './terraform-world.js';

const block = z.record(z.string(), z.unknown());
const synthesized = z.looseObject({
  resource: z.record(z.string(), z.record(z.string(), block)).optional(),
  locals: block.optional(),
  variable: z.record(z.string(), block).optional(),
  output: z.record(z.string(), block).optional(),
  removed: z.array(block).optional(),
});

/** The Terraform JSON of a stack, by kind. */
export type Synthesized = z.infer<typeof synthesized>;

/** What `build` puts into an empty stack, synthesized. */
export function synthesize(build: (stack: TerraformStack) => void): Synthesized {
  return synthesizeApp((app) => {
    const stack = new TerraformStack(app, 'stack');
    new AzurermProvider(stack, 'azurerm', { features: [{}] });
    new NullProvider(stack, 'null');
    FleetHandler.fromFile(stack, RECORDING_HANDLER);
    build(stack);
    return stack;
  });
}

/** The only stack of an app, synthesized. */
export function synthesizeApp(build: (app: Construct) => TerraformStack): Synthesized {
  return synthesized.parse(JSON.parse(textOf(build)));
}

/** The mesh stack with these settings, synthesized. */
export function synthesizeStack(settings: SettingsInput = {}, spec?: LoadedSpec): Synthesized {
  const parsed = settingsSchema.parse({ handlerFile: RECORDING_HANDLER, ...settings });
  return synthesizeApp((app) => new MeshStack(app, 'mesh', parsed, spec));
}

/** The text of the synthesized mesh stack, as JSON or as HCL (a view for people, never deployed). */
export function synthesizedText(settings: SettingsInput = {}, format: 'json' | 'hcl' = 'json') {
  const parsed = settingsSchema.parse({ handlerFile: RECORDING_HANDLER, ...settings });
  let hcl = '';
  const json = textOf((app) => {
    const stack = new MeshStack(app, 'mesh', parsed);
    if (format === 'json') return stack;
    stack.prepareStack();
    hcl = z.object({ hcl: z.string() }).parse(stack.toHclTerraform()).hcl;
    return stack;
  });
  return (format === 'json' ? json : hcl).replaceAll(/[0-9A-F]{32}/g, '<hash of the handler>');
}

/** The only resource of a type. */
export function only(terraform: Synthesized, type: string): Record<string, unknown> {
  const found = Object.values(terraform.resource?.[type] ?? {});
  if (found.length !== 1) throw new Error(`${found.length} resources of type ${type}`);
  return found[0] ?? {};
}

function textOf(build: (app: Construct) => TerraformStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'ms-synth-'));
  try {
    const app = new App({ outdir: folder });
    const { id } = build(app).node;
    app.synth();
    return readFileSync(join(folder, 'stacks', id, 'cdk.tf.json'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
