import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { failureMatrix, type FailureCase } from '../helpers/terraform/lifecycles.js';
import { failureRunner } from '../helpers/terraform/run-failure-case.js';
import { openTerraformWorld } from '../helpers/terraform/terraform-world.js';

jest.setTimeout(120_000);

describe('a mesh whose change goes wrong', () => {
  let opened: Awaited<ReturnType<typeof openTerraformWorld>>;
  let runCase: ReturnType<typeof failureRunner>;

  beforeAll(async () => {
    opened = await openTerraformWorld();
    runCase = failureRunner(opened.world);
  });

  afterAll(() => opened.close());

  it('is looked at in at least 150 ways', () => {
    expect(failureMatrix().length).toBeGreaterThanOrEqual(150);
  });

  it.each(failureMatrix().map((one): [string, FailureCase] => [one.name, one]))(
    'continues with the next run and leaves nothing: %s',
    async (_, one) => {
      await runCase(one, { thenDestroy: true });
    },
  );
});
