import { z } from 'zod';
import { inventorySchema } from '../../model/inventory.js';
import { scenarioSchema } from '../../model/scenario-spec.js';

/** A measurement that every cluster must give. */
const expectedSchema = z.looseObject({
  id: z.string(),
  measurement: z.string(),
  queries: z.array(z.string()),
  phase: z.string().optional(),
});

/**
 * The part of `plan.json` that results and reports are made from; a plan may hold more. Durations of
 * the scenario are text in the file and milliseconds here.
 */
export const planFactsSchema = z.looseObject({
  schemaVersion: z.literal(1),
  runId: z.string(),
  /** @default - the scenario's name */
  testType: z.string().optional(),
  engine: z.string(),
  /** UTC. */
  startedAt: z.string(),
  seed: z.number().optional(),
  scenario: scenarioSchema,
  inventory: inventorySchema,
  expected: z.array(expectedSchema).default([]),
  /** Rates of the limiters, for the ceiling in the report. @default - it is not shown */
  rates: z
    .looseObject({ exporterPerSecond: z.number(), kvstoremeshPerSecond: z.number() })
    .optional(),
  versions: z.record(z.string(), z.string()).optional(),
});

/** What results need of a plan. */
export type PlanFacts = z.infer<typeof planFactsSchema>;
