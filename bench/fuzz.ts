/*
 * A million damaged inputs for each reader of foreign files: no crash, no hang, no lost neighbour.
 * Run: npx tsx bench/fuzz.ts [cases] [seed] [target]   (1,000,000 cases: about half an hour)
 * A failure prints the seed and the case with which it comes again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectorTarget } from '../__tests__/helpers/fuzz/collector-target.js';
import { TEXT_TARGETS, type FuzzTarget } from '../__tests__/helpers/fuzz/targets.js';
import { seededRandom, systemRandom } from '../workload/platform/random.js';

const [cases = '1000000', seed = String(systemRandom.integer(1, 1e9)), only] =
  process.argv.slice(2);
/** A case that takes longer hangs for all that anybody can see. */
const SLOWEST_MS = 1000;

process.stdout.write(`seed ${seed}\n`);
const folder = mkdtempSync(join(tmpdir(), 'meshscale-fuzz-'));
try {
  const targets = [...TEXT_TARGETS, await collectorTarget(folder)];
  for (const target of targets) if (only === undefined || only === target.name) fuzz(target);
} finally {
  rmSync(folder, { recursive: true });
}

function fuzz(target: FuzzTarget): void {
  const started = performance.now();
  let slowest = 0;
  for (let index = 0; index < Number(cases); index++) {
    const before = performance.now();
    try {
      target.case(seededRandom(Number(seed) + index * 7919));
    } catch (error) {
      process.stdout.write(`${target.name}: case ${index} of seed ${seed}: ${String(error)}\n`);
      process.exitCode = 1;
      return;
    }
    slowest = Math.max(slowest, performance.now() - before);
    if (slowest > SLOWEST_MS) {
      process.stdout.write(`${target.name}: case ${index} of seed ${seed} took ${slowest} ms\n`);
      process.exitCode = 1;
      return;
    }
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(
    `${target.name}: ${cases} cases in ${seconds} s, slowest ${slowest.toFixed(0)} ms\n`,
  );
}
