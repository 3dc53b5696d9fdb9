import { z } from 'zod';
import { strictObject } from './strict-object.js';

const failedStep = strictObject({
  /** Its name in `junit.xml`. */
  step: z.string(),
  text: z.string(),
});

/** How a run of ClusterLoader2 on one cluster ended. */
export const cl2OutcomeSchema = z.discriminatedUnion('kind', [
  strictObject({ kind: z.literal('passed') }),
  /** It measured, and found too much or nothing. */
  strictObject({ kind: z.literal('violated'), thresholds: z.array(z.string()) }),
  strictObject({ kind: z.literal('workload-failed'), steps: z.array(failedStep) }),
  strictObject({
    kind: z.literal('infrastructure'),
    /** Of the failure signatures, or `unknown-setup-failure`. */
    class: z.string(),
    retryable: z.boolean(),
    text: z.string(),
    next: z.string(),
  }),
  /** Flags, templates or the config were refused before anything was loaded. */
  strictObject({ kind: z.literal('config-refused'), text: z.string() }),
  /** `by`: a signal, or `panic`. */
  strictObject({ kind: z.literal('killed'), by: z.string(), text: z.string() }),
  /** We ended it, because its time was over. */
  strictObject({ kind: z.literal('timed-out'), text: z.string() }),
  /** We ended it, because the user asked or its cluster was lost. */
  strictObject({ kind: z.literal('interrupted') }),
  /** It says that it came to its end, and its report does not show that. */
  strictObject({ kind: z.literal('half-report'), text: z.string() }),
  /** It says that all is well, and what it should have written is not there. */
  strictObject({ kind: z.literal('silent-loss'), files: z.array(z.string()) }),
]);

/** One of the endings. */
export type Cl2Outcome = z.infer<typeof cl2OutcomeSchema>;
