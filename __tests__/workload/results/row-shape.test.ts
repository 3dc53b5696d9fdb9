import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rowSchema, type Row } from '../../../model/row.js';
import { isRow, rowProblem } from '../../../workload/results/row-check.js';
import { rowLine } from '../../../workload/results/row-line.js';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constant('mesh-001 "\\\n\u2028'),
);
const count = fc.option(
  fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
);
const whole = fc.maxSafeInteger();
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

const workload = {
  namespaces: count,
  deployments_per_namespace: count,
  replicas_per_deployment: count,
  churn_cycles: count,
  kill_duration_seconds: count,
  kill_interval_seconds: count,
  kill_batch: count,
};

const validity = {
  measurement_valid: maybe(fc.boolean()),
  measurement_invalid_reasons: maybe(fc.array(text)),
  suite_continue: maybe(fc.option(fc.boolean())),
  infrastructure_healthy: maybe(fc.option(fc.boolean())),
  recovery_valid: maybe(fc.option(fc.boolean())),
};

const details = fc.record({
  trigger_reason: text,
  cluster: text,
  mesh_size: whole,
  cluster_count: whole,
  ...workload,
  pods_per_cluster: count,
  churn_up_duration: text,
  churn_down_duration: text,
  details: fc.option(text),
  ...validity,
});

const additions = fc.record({
  schemaVersion: fc.constant(1 as const),
  kind: fc.constantFrom('measurement', 'status', 'coverage', 'fault', 'probe', 'phase'),
  run: text,
  attempt: whole,
  stamp: text,
  engine: text,
  target: text,
  phase: maybe(text),
  source_cluster: maybe(text),
  target_cluster: maybe(text),
  verdict: maybe(fc.constantFrom('pass', 'fail', 'invalid', 'error', 'not-applicable')),
  state: fc.constantFrom('present', 'empty', 'missing', 'not-applicable'),
  reason: maybe(text),
  unit: text,
  window: maybe(fc.record({ start: text, end: text })),
  samples: maybe(whole),
  coverage: maybe(fc.record({ expected: whole, present: whole, empty: whole })),
  cilium_version: maybe(text),
  valid: fc.boolean(),
  invalid_reasons: fc.array(text),
  key: text,
});

/** Every field in the order of the schema. */
const rows: fc.Arbitrary<Row> = fc.record({
  timestamp: text,
  status: fc.constantFrom('success', 'failure'),
  group: text,
  measurement: text,
  result: fc.dictionary(text, fc.jsonValue()),
  test_details: details,
  cloud_info: text,
  run_id: text,
  run_url: text,
  test_type: text,
  start_timestamp: text,
  cluster: text,
  mesh_size: whole,
  cluster_count: whole,
  ...workload,
  ...validity,
  meshscale: additions,
});

const junk = fc.constantFrom<unknown[]>(
  ...[undefined, null, '', 'x', 0, 1, 1.5, -1, 2 ** 60, Number.NaN, Infinity],
  ...[true, [], [1], ['a'], {}, { start: '' }, { expected: 1, present: 1, empty: 1 }],
);

describe('the check of rows that is written by hand', () => {
  it('takes what the schema takes', () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(rowProblem(row)).toBeUndefined();
        expect(isRow(row)).toBe(true);
      }),
    );
  });

  it('fails exactly where the schema fails, whatever field is lost, changed or added', () => {
    let refused = 0;
    fc.assert(
      fc.property(rows, fc.nat(), fc.nat(), junk, fc.nat(3), (row, at, deeper, value, how) => {
        const damaged = damage(row, [at, deeper], value, how);
        const fits = rowSchema.safeParse(damaged).success;
        if (!fits) refused += 1;
        expect(isRow(damaged)).toBe(fits);
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it.each([null, undefined, 7, 'row', [], {}])('fails for %p', (value) => {
    expect(isRow(value)).toBe(false);
  });
});

it('a line is what JSON.stringify makes of the row', () => {
  fc.assert(
    fc.property(rows, (row) => {
      expect(rowLine(row)).toBe(JSON.stringify(row));
    }),
  );
});

/** A copy in which one field, of the row or of an object in it, is lost (0), named anew (1) or replaced. */
function damage(row: Row, [at, deeper]: readonly [number, number], value: unknown, how: number) {
  const whole = { ...row };
  const places: Record<string, unknown>[] = [
    whole,
    (whole.test_details = { ...row.test_details }),
    (whole.meshscale = { ...row.meshscale }),
  ];
  const inner = [whole.meshscale.window, whole.meshscale.coverage].flatMap((one) => one ?? []);
  const place = [...places, ...inner][at % (places.length + inner.length)] ?? whole;
  const names = Object.keys(place);
  const name = names[deeper % names.length] ?? '';
  if (how === 0) Reflect.deleteProperty(place, name);
  else if (how === 1) Reflect.set(place, `${name}_`, value);
  else Reflect.set(place, name, value);
  return whole;
}
