// The tests look at reports in Debian's Chromium. Where it is missing it is installed when that
// needs no question (root, apt-get); otherwise this says what is not looked at and how to change it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CHROMIUM = '/usr/bin/chromium';

if (existsSync(CHROMIUM)) {
  console.log(`chromium: ${CHROMIUM}`);
} else if (process.getuid?.() === 0 && run('apt-get', '--version')) {
  console.log('chromium: installing it with apt-get');
  const done = run('apt-get', 'update', '-q') && run('apt-get', 'install', '-yq', 'chromium');
  process.exitCode = done ? 0 : 1;
} else {
  console.log(
    'chromium: missing; the report is not looked at in a browser (those tests count as skipped). ' +
      'Install it, for example: sudo apt-get install chromium',
  );
}

function run(program, ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
}
