// Jest's global set-up of the contract, smoke and full tests: names the binary of every engine that
// is installed, so that tests find it by `engineForTests`. Installs nothing (`npm test` does).
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../bin/meshscale.js', import.meta.url));

export default function nameEngines() {
  const { engines } = JSON.parse(askForPaths());
  for (const { name, path } of engines) {
    process.env[`MESHSCALE_ENGINE_${name.toUpperCase().replaceAll('-', '_')}`] = path;
  }
}

function askForPaths() {
  try {
    return execFileSync(process.execPath, [CLI, 'engines', 'path', '--json'], { encoding: 'utf8' });
  } catch (error) {
    throw new Error('the tests need the engines: run `node bin/meshscale.js engines install`', {
      cause: error,
    });
  }
}
