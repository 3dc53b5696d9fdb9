// `npm test`: every check and test, one part after another, each with its wall and CPU time, and at
// the end the line `tests: N passed, N failed, N skipped`, counted from jest's own JSON.
// `--full` (npm run test:full) adds every scenario, fault and lifecycle case.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const full = process.argv.includes('--full');
const folder = mkdtempSync(join(tmpdir(), 'meshscale-test-'));
const counts = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
let failedParts = 0;

const parts = [
  part('format', npm('check:format')),
  part('lint', npm('check:lint')),
  part('types', npm('check:types')),
  part('imports', npm('check:imports')),
  part('unused', npm('check:unused')),
  part('generated', npm('check:generated')),
  jest('unit'),
  part('engines', ['node', 'bin/meshscale.js', 'engines', 'install']),
  part('browser', ['node', 'scripts/ensure-browser.js']),
  jest('contract'),
  jest('smoke', '--runInBand'),
  ...(full ? [jest('full', '--runInBand')] : []),
];

try {
  for (const { name, command, report } of parts) run(name, command, report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${lines.join('\n')}`);
console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = failedParts === 0 && counts.failed === 0 && counts.passed > 0 ? 0 : 1;

function run(name, command, report) {
  console.log(`\n── ${name}`);
  const wall = process.hrtime.bigint();
  const cpu = childrenCpuSeconds();
  const [program, ...args] = command;
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  const seconds = Number(process.hrtime.bigint() - wall) / 1e9;
  const spent = childrenCpuSeconds() - cpu;
  if (status !== 0) failedParts += 1;
  if (report !== undefined) count(name, report);
  lines.push(
    `${status === 0 ? '✓' : '✗'} ${name.padEnd(10)} ${seconds.toFixed(1).padStart(7)} s wall ${spent.toFixed(1).padStart(7)} s CPU`,
  );
}

/** A kind whose report is missing or holds no test has failed: nothing ran is not a pass. */
function count(name, report) {
  if (!existsSync(report)) {
    console.log(`no report from the ${name} tests`);
    counts.failed += 1;
    return;
  }
  const result = JSON.parse(readFileSync(report, 'utf8'));
  counts.passed += result.numPassedTests;
  counts.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  counts.skipped += result.numPendingTests + result.numTodoTests;
}

function part(name, command, report) {
  return { name, command, report };
}

function npm(script) {
  return ['npm', 'run', '--silent', script];
}

function jest(project, ...flags) {
  const report = join(folder, `${project}.json`);
  return part(
    project,
    [
      'node',
      'scripts/jest.js',
      '--selectProjects',
      project,
      '--ci',
      '--json',
      `--outputFile=${report}`,
      ...flags,
    ],
    report,
  );
}

/** CPU time of all children that have ended, with theirs. Fields 16 and 17 of proc(5), 100 ticks/s. */
function childrenCpuSeconds() {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
