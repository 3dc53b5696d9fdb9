// Runs jest in ESM mode. `--selectProjects` would swallow the patterns behind it as further project
// names and then run everything, so patterns are put first: `npm run jest -- --selectProjects unit lock`.
import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { engineVariables } from './engines-for-tests.js';

const KINDS = ['unit', 'contract', 'smoke', 'full'];

const given = process.argv.slice(2);
const at = given.indexOf('--selectProjects');
const end = at < 0 ? -1 : firstNonKind(at + 1);
const kinds = at < 0 ? [] : given.slice(at, end);
const others = at < 0 ? given : [...given.slice(0, at), ...given.slice(end)];

// Unit tests start no engine, so that they run before any is there.
const engines = given.slice(at + 1, end).join() === 'unit' ? {} : engineVariables();

const { status, signal } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    ...others,
    ...kinds,
  ],
  { stdio: 'inherit', env: { ...process.env, ...engines } },
);
process.exitCode = signal === null ? (status ?? 1) : 128 + constants.signals[signal];

function firstNonKind(from) {
  const found = given.findIndex((word, index) => index >= from && !KINDS.includes(word));
  return found < 0 ? given.length : found;
}
