import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Clock } from '../../workload/platform/clock.js';
import type { Host } from '../../workload/platform/host.js';
import { systemHttpGet, type HttpGet } from '../../workload/platform/http.js';
import { packageFolder } from '../../workload/platform/package-folder.js';
import type { Processes } from '../../workload/platform/processes.js';
import type { Progress } from '../../workload/platform/progress.js';
import { platformOf } from './platform.js';
import type { Platform } from './recipe.js';

/** All that finding and installing engines may know of the world. */
export interface EngineContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly host: Host;
  readonly progress: Progress;
  readonly http: HttpGet;
  readonly platform: Platform;
  /** Ours alone; engines are below `engines/` in it. */
  readonly cacheDir: string;
  /** The folder with the Go modules. */
  readonly enginesDir: string;
  /** How to install. @default - build; Prometheus from Debian's package where apt works */
  readonly from?: InstallWay | undefined;
  /** Takes the place of the release files' own hosts. @default - the projects' servers */
  readonly url?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The ways to install that a user can name. */
export type InstallWay = 'build' | 'download';

/** What a command has at hand to make an {@link EngineContext} of. */
export type EngineSurroundings = Pick<
  EngineContext,
  'env' | 'processes' | 'clock' | 'host' | 'progress' | 'from' | 'url' | 'signal'
>;

/** The context on this machine: its network, its processor, the cache and modules of this package. */
export function machineEngines(surroundings: EngineSurroundings): EngineContext {
  return {
    ...surroundings,
    http: systemHttpGet,
    platform: platformOf(process.platform, process.arch),
    cacheDir: cacheDirectory(surroundings.env),
    enginesDir: packagedModules(),
  };
}

/** `$MESHSCALE_CACHE`, else `meshscale` in the XDG cache folder. Always absolute. */
export function cacheDirectory(env: EngineContext['env']): string {
  if (isSet(env['MESHSCALE_CACHE'])) return resolve(env['MESHSCALE_CACHE']);
  if (isSet(env['XDG_CACHE_HOME'])) return resolve(env['XDG_CACHE_HOME'], 'meshscale');
  return join(isSet(env['HOME']) ? env['HOME'] : homedir(), '.cache', 'meshscale');
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function packagedModules(): string {
  return join(packageFolder(import.meta.dirname), 'engines');
}
