import { z } from 'zod';
import { settingsInvalid } from './errors.js';
import { settingsSchema, type MeshSettings } from './settings.js';

/** `context.meshscale` of a cdktf.json, with defaults; every problem in it at once. */
export function readSettings(context: unknown): MeshSettings {
  const parsed = settingsSchema.safeParse(context ?? {});
  if (parsed.success) return parsed.data;
  throw settingsInvalid(z.prettifyError(parsed.error));
}

/** The `context` of the text of a cdktf.json, for an app that is started without the cdktf CLI. */
export function contextOf(cdktfJson: string): Record<string, unknown> {
  return z.object({ context: z.record(z.string(), z.unknown()) }).parse(JSON.parse(cdktfJson))
    .context;
}
