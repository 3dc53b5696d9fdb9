import { join } from 'node:path';
import type { EngineContext } from './engine-context.js';
import { OLDEST_GO } from './remedies.js';
import { compareNumbers } from './versions.js';

/** The Go that would build the engines, and where it keeps its caches. */
export type GoToolchain =
  | {
      readonly state: 'ready';
      readonly version: string;
      readonly moduleCache: string;
      readonly buildCache: string;
    }
  | { readonly state: 'too-old'; readonly version: string }
  | { readonly state: 'missing' };

/**
 * Asks `go` in the folder of the modules: with GOTOOLCHAIN=auto an older Go first fetches the one
 * that the module wants, and then that one answers.
 */
export async function findGo(context: EngineContext): Promise<GoToolchain> {
  const { processes, env, enginesDir, signal } = context;
  const result = await processes.run({
    command: 'go',
    args: ['env', 'GOVERSION', 'GOMODCACHE', 'GOCACHE'],
    cwd: join(enginesDir, 'control-plane'),
    env: goEnvironment(context),
    signal,
  });
  if (result.state !== 'ended') return { state: 'missing' };
  const [version = '', moduleCache = '', buildCache = ''] = result.stdout.trim().split('\n');
  const number = version.replace(/^go/, '');
  if (result.exitCode !== 0 || !/^\d/.test(number)) return await ownVersion(processes, env, signal);
  if (compareNumbers(number, OLDEST_GO) < 0) return { state: 'too-old', version };
  return { state: 'ready', version, moduleCache, buildCache };
}

/**
 * The user's Go settings (proxy, caches, credentials), without those that change what is built: a
 * workspace, flags, another target, C.
 */
export function goEnvironment(
  context: EngineContext,
): Readonly<Record<string, string | undefined>> {
  return {
    ...context.env,
    GO111MODULE: 'on',
    GOFLAGS: '-mod=readonly', // an empty one would let `go env -w GOFLAGS=…` through
    GOWORK: 'off',
    CGO_ENABLED: '0',
    GOOS: context.platform.os,
    GOARCH: context.platform.arch,
  };
}

/** Outside of a module even a Go that refuses the module tells its version. */
async function ownVersion(
  processes: EngineContext['processes'],
  env: EngineContext['env'],
  signal: AbortSignal | undefined,
): Promise<GoToolchain> {
  const result = await processes.run({
    command: 'go',
    args: ['version'],
    cwd: '/',
    env: { ...env, GOTOOLCHAIN: 'local' },
    signal,
  });
  const text = result.state === 'ended' ? result.stdout : '';
  const version = /go version (\S+)/.exec(text)?.[1];
  if (version === undefined) return { state: 'missing' };
  return { state: 'too-old', version };
}
