import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../../workload/platform/random.js';
import { collectorTarget } from '../../helpers/fuzz/collector-target.js';
import { TEXT_TARGETS, type FuzzTarget } from '../../helpers/fuzz/targets.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

/** Another one each day, so that not the same cases are tried for ever; a failure names it. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Date.now() / 86_400_000));
/** 10,000 in all. */
const TEXT_CASES = 3_000;
const FOLDER_CASES = 1_000;

/** A million cases each: bench/fuzz.ts. */
describe('damaged files', () => {
  it.each(TEXT_TARGETS.map((target) => [target.name, target] as const))(
    'of kind %s are borne, thousands of them',
    (_, target) => {
      expect(firstFailure(target, TEXT_CASES)).toBeUndefined();
    },
  );

  it('of a report folder cost no row of their neighbours', async () => {
    await withTemporaryFolder(async (folder) => {
      expect(firstFailure(await collectorTarget(folder), FOLDER_CASES)).toBeUndefined();
    });
  }, 30_000);
});

function firstFailure(target: FuzzTarget, cases: number): string | undefined {
  for (let index = 0; index < cases; index++) {
    try {
      target.case(seededRandom(SEED + index * 7919));
    } catch (error) {
      return `${target.name}, seed ${SEED}, case ${index}: ${String(error)}`;
    }
  }
  return undefined;
}
