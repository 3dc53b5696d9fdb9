import { accessSync, constants } from 'node:fs';

/**
 * The binary of an engine for a contract test, from `MESHSCALE_ENGINE_<NAME>`: `kube-apiserver` is
 * found through `MESHSCALE_ENGINE_KUBE_APISERVER`. `npm test` sets all of them.
 */
export function engineForTests(name: string): string {
  const variable = `MESHSCALE_ENGINE_${name.toUpperCase().replaceAll('-', '_')}`;
  const file = process.env[variable];
  if (file === undefined || file === '') {
    throw new Error(`${variable} is not set: it has to name the binary of ${name}`);
  }
  accessSync(file, constants.X_OK);
  return file;
}
