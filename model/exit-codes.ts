/**
 * How the process ends. Small, stable, and never reused; the table with its meanings stands in
 * `docs/exit-codes.md`, which is generated from here.
 */
export const EXIT_CODES = {
  good: { code: 0, when: 'Done; every verdict is pass or not-applicable.' },
  internal: { code: 1, when: 'A defect of ours, also any uncaught exception.' },
  'bad-input': {
    code: 2,
    when: 'Usage, spec, knob, unknown name or unreadable file. Nothing was touched.',
  },
  'not-good-enough': {
    code: 3,
    when: 'A verdict is fail, or a gate or comparison is beyond its threshold.',
  },
  'workload-failed': { code: 4, when: 'A workload could not run, or its engine ended badly.' },
  infrastructure: {
    code: 5,
    when: 'A cluster, mesh, engine binary, cloud or credential is missing or unhealthy, or a wait ran out.',
  },
  'cannot-judge': {
    code: 6,
    when: 'The verdict is invalid: stimulus, coverage or samples are too poor.',
  },
  leftovers: { code: 7, when: 'Something of ours is left behind; it is listed.' },
  busy: { code: 8, when: 'Another runner holds the run, the mesh or the fleet.' },
  interrupted: { code: 130, when: 'SIGINT, after our own clean-up (or at once on the second).' },
  terminated: { code: 143, when: 'SIGTERM, after our own clean-up.' },
} as const;

/** A row of the exit code table. */
export type ExitWord = keyof typeof EXIT_CODES;

/** When several things went wrong at once, the first of these decides the exit code. */
const PRECEDENCE: readonly ExitWord[] = [
  'interrupted',
  'terminated',
  'internal',
  'bad-input',
  'busy',
  'infrastructure',
  'workload-failed',
  'leftovers',
  'cannot-judge',
  'not-good-enough',
];

/** The one word that stands for all of `words`; `good` for none. */
export function decidingExit(words: readonly ExitWord[]): ExitWord {
  return PRECEDENCE.find((word) => words.includes(word)) ?? 'good';
}
