import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Environment } from '../ports.js';

/**
 * Where fleet locks stand, the same for handlers and commands of one user: `$MESHSCALE_HOME`, else
 * the state folder of XDG. @see contracts.md §12
 */
export function lockFolder(env: Environment): string {
  const home = env['MESHSCALE_HOME'];
  if (home !== undefined && home !== '') return resolve(home, 'fleet-locks');
  const xdg = env['XDG_STATE_HOME'];
  const base =
    xdg !== undefined && isAbsolute(xdg) ? xdg : join(env['HOME'] ?? homedir(), '.local', 'state');
  return join(base, 'meshscale', 'fleet-locks');
}
