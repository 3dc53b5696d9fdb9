// How long synthesizing takes and how large the result is: a mesh by a variable (any N), and specs of
// 2, 20, 100 and 255 unlike clusters. Each in a process of its own, as cdktf runs it; CPU seconds of
// the whole process.
//
//   npx tsx bench/synth/main.ts
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CASES = ['variable', 'spec 2', 'spec 20', 'spec 100', 'spec 255'];
const script = join(import.meta.dirname, 'one-synth.ts');

process.stdout.write('case        CPU seconds   JSON bytes\n');
for (const name of CASES) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['scripts/synth.js', script, ...name.split(' ')],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const [cpu, bytes] = stdout.trim().split(' ');
  const columns = [name.padEnd(12), (cpu ?? '').padStart(11), (bytes ?? '').padStart(13)];
  process.stdout.write(`${columns.join('')}\n`);
}
