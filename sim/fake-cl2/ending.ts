import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const scriptSchema = z.strictObject({
  ending: z.enum([
    'pass',
    /** A measurement finds too much. */
    'violation',
    /** A wait finds pods that are not there. */
    'step-error',
    /** Namespaces of that name are there already: a report with the overall case only. */
    'namespaces-taken',
    'prometheus-timeout',
    'api-server-gone',
    'panic',
    'killed',
    /** Ends with 2, as process 1 of a container does on SIGTERM. */
    'code-2',
    'hang',
    /** junit.xml without its last steps. */
    'half-report',
    /** junit.xml cut off in the middle. */
    'torn-report',
    /** All is well, and a summary was never written. */
    'silent-loss',
    /** Exit 0 and nothing else. */
    'nothing',
  ]),
  /** Where it happens, counted from 1. @default - at the last step */
  atStep: z.int().min(1).optional(),
  /** Later attempts pass; the attempt is told by the folder of the report. @default - every attempt */
  untilAttempt: z.int().min(1).optional(),
});

/** How this run is to end. */
export type ScriptedEnding = z.infer<typeof scriptSchema>;

/** The ending for a cluster, from the file beside the executable; it passes without one. */
export async function readEnding(
  folder: string,
  cluster: string,
  reportDir: string,
): Promise<ScriptedEnding> {
  const text = await readFile(join(folder, 'fake-cl2.json'), 'utf8').catch(() => '{}');
  const scripts = z.record(z.string(), scriptSchema).parse(JSON.parse(text));
  const script = scripts[cluster] ?? scripts['default'] ?? PASS;
  const attempt = Number(/\/attempt-(\d+)\//.exec(reportDir)?.[1] ?? 1);
  return attempt > (script.untilAttempt ?? Number.POSITIVE_INFINITY) ? PASS : script;
}

const PASS: ScriptedEnding = { ending: 'pass' };
