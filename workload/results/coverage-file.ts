import { z } from 'zod';
import { valueStateSchema } from '../../model/row.js';

/** The version of `coverage.json` that this program writes and reads. */
export const COVERAGE_SCHEMA_VERSION = 1;

const count = z.strictObject({ expected: z.int(), present: z.int(), empty: z.int() });

/** The content of `coverage.json`. */
export const coverageFileSchema = z.strictObject({
  schemaVersion: z.literal(COVERAGE_SCHEMA_VERSION),
  clusters: z.array(
    z.strictObject({
      cluster: z.string(),
      measurements: z.array(
        z.strictObject({
          measurement: z.string(),
          group: z.string(),
          phase: z.string().optional(),
          count,
          state: valueStateSchema,
          reason: z.string().optional(),
        }),
      ),
    }),
  ),
  malformed: z.array(z.string()),
  unknown: z.array(z.string()),
});

/** What was measured of what should have been, by cluster, and what could not be read. */
export type CoverageFile = z.infer<typeof coverageFileSchema>;
