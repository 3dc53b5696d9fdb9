import type { FakeEnding } from '../../__tests__/helpers/fake-cl2.js';

/** 5 % die, 5 % hang, 3 % leave half a report, and 2 % come back with another attempt. */
export function endingsFor(roles: readonly string[]): Readonly<Record<string, FakeEnding>> {
  const share = (percent: number): number =>
    Math.max(1, Math.round((roles.length * percent) / 100));
  const endings: readonly (readonly [number, FakeEnding])[] = [
    [share(5), { ending: 'killed', atStep: 4 }],
    [share(5), { ending: 'hang', atStep: 4 }],
    [share(3), { ending: 'half-report' }],
    [share(2), { ending: 'prometheus-timeout', untilAttempt: 1 }],
  ];
  const bad = endings.flatMap(([count, ending]) => Array.from({ length: count }, () => ending));
  // Spread over all of them, as bad luck is.
  const step = Math.max(1, Math.floor(roles.length / bad.length));
  return Object.fromEntries(
    bad.flatMap((ending, index) => {
      const role = roles[index * step];
      return role === undefined ? [] : [[role, ending] as const];
    }),
  );
}

/** The ending that our own records have to show for it. */
export function expectedOf(script: FakeEnding | undefined): string {
  return CODES[script?.ending ?? ''] ?? 'finished';
}

const CODES: Readonly<Record<string, string>> = {
  killed: 'engine-killed',
  hang: 'phase-timeout',
  'half-report': 'half-report',
};
