import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { failureMatrix } from '../helpers/terraform/lifecycles.js';
import { failureRunner } from '../helpers/terraform/run-failure-case.js';
import { openTerraformWorld } from '../helpers/terraform/terraform-world.js';

jest.setTimeout(120_000);

/** The cells of the matrix that say most; all of them are in the full test. */
const NAMED = [
  'create 3: settle mesh-001 fails',
  'create 3: create fleet_member mesh-002 is refused',
  'create 3: ensure fails late',
  'create 3: ensure is interrupted',
  'create 3: ensure dies with terraform',
  'grow 2 to 4: create fleet_member mesh-004 is refused',
  'grow 2 to 4: ensure is killed',
  'shrink 4 to 2: leave mesh-003 fails',
  'shrink 4 to 2: leave mesh-004 is interrupted',
  'shrink 4 to 2: leave mesh-003 dies with terraform',
  'shrink 4 to 2: delete fleet_member mesh-003 is refused',
  'shrink 4 to 2: delete cluster mesh-004 dies with terraform',
  'shrink 3 to 1: drain fails',
  'replace mesh-002 of 3: leave mesh-002 fails',
  'replace mesh-002 of 3: create fleet_member mesh-002 is refused',
  'destroy 3: drain fails',
  'destroy 3: drain is killed',
  'destroy 3: drain is interrupted',
  'destroy 3: drain dies with terraform',
  'destroy 3: delete fleet_member mesh-001 is refused',
];

describe('a mesh whose change goes wrong', () => {
  let opened: Awaited<ReturnType<typeof openTerraformWorld>>;
  let runCase: ReturnType<typeof failureRunner>;

  beforeAll(async () => {
    opened = await openTerraformWorld();
    runCase = failureRunner(opened.world);
  });

  afterAll(() => opened.close());

  it.each(NAMED)('continues with the next run: %s', async (name) => {
    const one = failureMatrix().find((each) => each.name === name);
    if (one === undefined) throw new Error(`the matrix has no such case: ${name}`);
    await runCase(one, { thenDestroy: false });
  });

  it('is looked at in twenty different ways', () => {
    expect(new Set(NAMED).size).toBe(20);
  });
});
