import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { durationTextSchema } from '../../model/duration-codec.js';
import { parseDuration } from '../../model/quantity.js';
import { strictObject } from '../../model/strict-object.js';
import { throwAll } from '../../model/user-error.js';
import { fieldErrors, readYaml } from '../scenario/yaml-document.js';
import { unreadableThresholds } from './errors.js';
import type { Series } from './series.js';

/** The version of threshold files that this program reads. */
const THRESHOLDS_SCHEMA_VERSION = 1;

/** A number is in the unit of the measurement; a duration can be said in any unit of time. */
const limit = z.union([z.number(), durationTextSchema]);

const thresholdSchema = strictObject({
  /** Name as in rows, or id in the catalogue. */
  measurement: z.string().min(1),
  /** Key of the value, such as Perc99. */
  query: z.string().min(1),
  /** Only where these labels have these values. @default - all */
  labels: z.record(z.string(), z.string()).optional(),
  /** @default - all */
  phase: z.string().optional(),
  atMost: limit.optional(),
  atLeast: limit.optional(),
  /** How much worse than the baseline it may be; only `compare` looks at it. */
  worseBy: z
    .string()
    .regex(/^\d+(\.\d+)?%$/, { error: 'a share such as 20%' })
    .optional(),
  /** Which of the clusters or pairs has to hold it. @default worst */
  of: z.enum(['worst', 'median']).optional(),
});

const fileSchema = strictObject({
  schemaVersion: z.literal(THRESHOLDS_SCHEMA_VERSION),
  thresholds: z
    .array(
      thresholdSchema.refine((one) => (one.atMost ?? one.atLeast ?? one.worseBy) !== undefined, {
        error: 'at least one of atMost, atLeast, worseBy',
      }),
    )
    .min(1),
});

/** What somebody asks of one value. */
export type Threshold = z.infer<typeof thresholdSchema>;

/** Reads a file of thresholds. Throws every problem of it (`UserErrors`). */
export async function readThresholds(file: string): Promise<readonly Threshold[]> {
  return parseThresholds(await textOf(file), file);
}

/** The thresholds of a text. Throws every problem of it (`UserErrors`). */
export function parseThresholds(text: string, file: string): readonly Threshold[] {
  const yaml = readYaml(text, file);
  if (!yaml.ok) {
    throwAll(yaml.errors);
    return [];
  }
  const parsed = fileSchema.safeParse(yaml.document.value);
  if (parsed.success) return parsed.data.thresholds;
  throwAll(fieldErrors(yaml.document, parsed.error.issues));
  return [];
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadableThresholds(file, error instanceof Error ? error.message : String(error));
  }
}

/** The series that a threshold speaks of. `names` turns catalogue ids into names of rows. */
export function seriesFor(
  threshold: Threshold,
  series: ReadonlyMap<string, Series>,
  names: ReadonlyMap<string, string>,
): readonly Series[] {
  const name = names.get(threshold.measurement) ?? threshold.measurement;
  const wanted = Object.entries(threshold.labels ?? {}).map(
    ([label, value]) => `${label}=${value}`,
  );
  return [...series.values()].filter(
    (one) =>
      one.measurement === name &&
      one.query === threshold.query &&
      (threshold.phase === undefined || one.phase === threshold.phase) &&
      wanted.every((label) => one.labels.split(' ').includes(label)),
  );
}

/** A limit in the unit of a series; undefined for a duration where the series is none. */
export function limitIn(unit: string, given: number | string): number | undefined {
  if (typeof given === 'number') return given;
  const parsed = parseDuration(given);
  const milliseconds = MILLISECONDS_PER.get(unit);
  return parsed.ok && milliseconds !== undefined ? parsed.milliseconds / milliseconds : undefined;
}

const MILLISECONDS_PER: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['seconds', 1000],
]);
