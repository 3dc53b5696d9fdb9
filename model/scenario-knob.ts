import { z } from 'zod';
import { durationTextSchema } from './duration-codec.js';
import { strictObject } from './strict-object.js';

const about = {
  /** Where the default comes from; a number that we chose says so. */
  source: z.string().min(1),
  /** What turning it does, for the table in the docs. */
  doc: z.string().min(1),
};

const numeric = (unit: 'count' | 'per-second' | 'ratio', number: z.ZodNumber) =>
  strictObject({
    unit: z.literal(unit),
    default: number,
    min: number,
    max: number,
    ...about,
  });

/** A number of a scenario that `--set name=value` may change, with its bounds and its origin. */
export const scenarioKnobSchema = z.discriminatedUnion('unit', [
  numeric('count', z.int().min(0)),
  numeric('per-second', z.number().min(0)),
  numeric('ratio', z.number().min(0).max(1)),
  strictObject({
    unit: z.literal('duration'),
    default: durationTextSchema,
    min: durationTextSchema,
    max: durationTextSchema,
    ...about,
  }),
]);

/** A knob's definition. */
export type ScenarioKnob = z.infer<typeof scenarioKnobSchema>;

/** What a knob is set to: durations as text with their unit (`30s`), everything else a number. */
export type KnobValue = number | string;

/** How a knob is named: camel case, as in ClusterLoader2 overrides. */
export const KNOB_NAME = /^[a-z][A-Za-z0-9]*$/;
