import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../bin/meshscale.js', import.meta.url));

/**
 * The environment variables that name the binary of every installed engine, for tests that start
 * real ones (`engineForTests`). Installs nothing: `npm test` does that before.
 */
export function engineVariables() {
  const { engines } = JSON.parse(askForPaths());
  return Object.fromEntries(
    engines.map(({ name, path }) => [
      `MESHSCALE_ENGINE_${name.toUpperCase().replaceAll('-', '_')}`,
      path,
    ]),
  );
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
