import { parseDocument } from 'yaml';
import { z } from 'zod';

const phase = z.object({
  namespaceRange: z.object({ min: z.int(), max: z.int() }),
  replicasPerNamespace: z.int(),
  tuningSet: z.string(),
  objectBundle: z.array(z.object({ basename: z.string(), objectTemplatePath: z.string() })),
});

const measurement = z.object({
  method: z.string(),
  identifier: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});

const configSchema = z.object({
  name: z.string(),
  namespace: z.object({ number: z.int(), prefix: z.string() }),
  tuningSets: z.array(
    z.object({ name: z.string(), qpsLoad: z.object({ qps: z.number().positive() }).optional() }),
  ),
  steps: z
    .array(
      z.object({
        name: z.string(),
        phases: z.array(phase).optional(),
        measurements: z.array(measurement).optional(),
      }),
    )
    .min(1, { error: 'steps: Invalid value: []: cannot be empty' }),
});

/** A config as far as the stand-in needs it; unknown fields vanish, as they do with the real one. */
export type FakeConfig = z.infer<typeof configSchema>;
/** A step of a config. */
export type FakeStep = FakeConfig['steps'][number];
/** A phase of a step. */
export type FakePhase = z.infer<typeof phase>;
/** A measurement of a step. */
export type FakeMeasurement = z.infer<typeof measurement>;

/** Reads a config; a text for what ClusterLoader2 would say of it. */
export function readConfig(text: string): FakeConfig | string {
  const document = parseDocument(text, { version: '1.1' });
  const [error] = document.errors;
  if (error !== undefined) return `decoding failed: ${error.message}`;
  const parsed = configSchema.safeParse(document.toJS());
  if (!parsed.success) return z.prettifyError(parsed.error);
  const declared = new Set(parsed.data.tuningSets.map(({ name }) => name));
  const undeclared = parsed.data.steps
    .flatMap(({ phases = [] }) => phases)
    .find(({ tuningSet }) => !declared.has(tuningSet));
  return undeclared === undefined
    ? parsed.data
    : `tuning set referenced has not been declared: ${undeclared.tuningSet}`;
}
