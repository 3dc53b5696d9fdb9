import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { drain } from '../../fleet/drain.js';
import { ensure } from '../../fleet/ensure.js';
import { leave } from '../../fleet/leave.js';
import { removeMembers } from '../../fleet/remove-members.js';
import type { FleetWorld } from '../../fleet/fleet-world.js';
import type { Fault, Knobs } from '../../sim/fleet-service/knobs.js';
import { createTestFleet, type TestFleet } from '../helpers/fleet-world.js';

const profile = 'cmp1';

const anyFault: fc.Arbitrary<Fault> = fc.record({
  match: fc.constantFrom(
    '.*',
    '^GET',
    '^PUT',
    '^PATCH',
    '/apply',
    '^DELETE',
    'filter',
    'operation',
  ),
  times: fc.integer({ min: 1, max: 4 }),
  kind: fc.constantFrom('status', 'reset', 'hang', 'truncate', 'slow'),
  status: fc.constantFrom(408, 409, 412, 429, 500, 502, 503, 504),
  code: fc.constantFrom(
    'InternalServerError',
    'AnotherOperationInProgress',
    'TooManyRequests',
    'Odd',
  ),
  retryAfter: fc.constantFrom('0', '7', 'Mon, 13 Jul 2026 08:20:00 GMT'),
  afterEffect: fc.boolean(),
});

const anyKnobs: fc.Arbitrary<Partial<Knobs>> = fc.record({
  faults: fc.array(anyFault, { maxLength: 6 }),
  asyncWrites: fc.boolean(),
  listLagMs: fc.record({
    join: fc.constantFrom(0, 15_000, 40_000),
    leave: fc.constantFrom(0, 15_000, 40_000),
  }),
  deleteGuardLagMs: fc.constantFrom(0, 30_000),
  applyLabelLagMs: fc.constantFrom(0, 30_000),
  putDuringApplying: fc.constantFrom('allow', 'refuse'),
  pageSize: fc.constantFrom(2, 100),
  reorderDuringPaging: fc.boolean(),
  idOrder: fc.constantFrom('lowest', 'shuffled'),
  extraFields: fc.boolean(),
  caseMangling: fc.boolean(),
  applyNeverEnds: fc.constantFrom(false, false, false, true),
  noConnectivity: fc.constantFrom<Knobs['noConnectivity']>([], [], ['mesh-002'], 'all'),
  throttle: fc.constantFrom(undefined, { size: 8, refillPerSecond: 1, retryAfterSeconds: 9 }),
});

const anySchedule = fc.record({
  size: fc.integer({ min: 2, max: 7 }),
  knobs: anyKnobs,
  /** When the first try is killed, in virtual milliseconds. */
  killAfter: fc.option(fc.integer({ min: 0, max: 400_000 })),
});

/** Ends when the deed does or when it is killed. */
async function tryOnce(
  test: TestFleet,
  killAfter: number | null,
  deed: (world: FleetWorld) => Promise<unknown>,
): Promise<void> {
  const abort = new AbortController();
  const work = deed({ ...test.world, signal: abort.signal }).catch(() => undefined);
  const done = new AbortController();
  const kill = async (): Promise<void> => {
    if (killAfter === null) return;
    await test.clock.sleep(killAfter, done.signal).catch(() => undefined);
    abort.abort(new Error('killed'));
  };
  const killer = kill();
  await work;
  done.abort();
  await killer;
}

/** The weather clears: nothing is in the way any more, as for somebody who tries again next day. */
async function calm(test: TestFleet): Promise<void> {
  await test.clock.sleep(120_000);
  const { state } = test.service;
  Object.assign(state.knobs, {
    faults: [],
    applyNeverEnds: false,
    noConnectivity: [],
    throttle: undefined,
  });
  for (const found of test.fleet.profiles.values()) {
    if (found.state === 'Applying') {
      found.generation += 1;
      found.state = 'Failed';
    }
  }
}

const RUNS = { numRuns: 15 };
/** Milliseconds; the machine may be busy with other tests. */
const SLOW = 120_000;

describe('under random faults', () => {
  it(
    'a drain ends in an allowed state, and the next one always finishes it',
    async () => {
      await fc.assert(
        fc.asyncProperty(anySchedule, async ({ size, knobs, killAfter }) => {
          const test = createTestFleet(size);
          await ensure({ profile, members: test.members }, test.world);
          Object.assign(test.service.state.knobs, structuredClone(knobs));
          await tryOnce(test, killAfter, async (world) => {
            const result = await drain({ profile }, world);
            // Says done only when it is.
            if (result.deleted) expect(test.attached()).toEqual([]);
            else expect(test.fleet.profiles.has(profile)).toBe(true);
          });
          await calm(test);
          expect(await drain({ profile }, test.world)).toMatchObject({ deleted: true });
          const removed = await removeMembers(test.members, test.world);
          expect(removed.filter((one) => one.state !== 'gone')).toEqual([]);
          expect(test.fleet.members.size).toBe(0);
          expect(test.breaches()).toEqual([]);
        }),
        RUNS,
      );
    },
    SLOW,
  );

  it(
    'a join ends connected or with an error, and the next one always connects',
    async () => {
      await fc.assert(
        fc.asyncProperty(anySchedule, async ({ size, knobs, killAfter }) => {
          const test = createTestFleet(size, structuredClone(knobs));
          await tryOnce(test, killAfter, (world) =>
            ensure({ profile, members: test.members }, world),
          );
          await calm(test);
          await ensure({ profile, members: test.members }, test.world);
          const states = [...test.fleet.members.values()].map(({ mesh }) => mesh?.state);
          expect(states).toEqual(test.members.map(() => 'Connected'));
          expect(test.breaches()).toEqual([]);
        }),
        RUNS,
      );
    },
    SLOW,
  );

  it(
    'a leave never lets a member be deleted while it is attached',
    async () => {
      await fc.assert(
        fc.asyncProperty(anySchedule, async ({ size, knobs, killAfter }) => {
          const test = createTestFleet(size);
          await ensure({ profile, members: test.members }, test.world);
          Object.assign(test.service.state.knobs, structuredClone(knobs));
          const members = test.members.slice(0, Math.ceil(size / 2));
          const left: string[] = [];
          await tryOnce(test, killAfter, async (world) => {
            const result = await leave({ profile, members }, world);
            left.push(...members.filter((name) => !result.remainingMembers.includes(name)));
          });
          expect(test.attached().filter((name) => left.includes(name))).toEqual([]);
          await calm(test);
          const again = await leave({ profile, members }, test.world);
          expect(again.remainingMembers).toEqual([]);
          expect(test.attached()).toEqual(test.members.filter((name) => !members.includes(name)));
          expect(test.breaches()).toEqual([]);
        }),
        RUNS,
      );
    },
    SLOW,
  );
});
