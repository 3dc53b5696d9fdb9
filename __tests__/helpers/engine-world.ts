import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineContext } from '../../local/engines/engine-context.js';
import type { EngineName } from '../../local/engines/engine-names.js';
import { systemClock, type Clock } from '../../workload/platform/clock.js';
import { systemHttpGet } from '../../workload/platform/http.js';
import type { ProgressEvent } from '../../workload/platform/progress.js';
import { systemProcesses } from '../../workload/platform/system-processes.js';
import { GIB } from '../../model/quantity.js';

/** A machine in a temporary folder: its PATH, its cache, its Go modules, and fake programs. */
export interface EngineWorld {
  readonly root: string;
  readonly context: EngineContext;
  readonly told: readonly ProgressEvent[];
  /** Puts a shell script on PATH. */
  program(name: string, ...lines: readonly string[]): Promise<string>;
  /** A `go` that "builds" engines which report the right version. `onBuild` runs before it writes. */
  go(onBuild?: readonly string[], version?: string): Promise<void>;
  /** What the fake `go` was asked to build so far, one command line each. */
  builds(): Promise<readonly string[]>;
  /** The same machine with other settings. */
  with(changes: Partial<EngineContext>): EngineContext;
  remove(): Promise<void>;
}

/** What each engine prints when it is asked for its version. */
export const VERSION_TEXTS: Readonly<Record<EngineName, string>> = {
  etcd: 'etcd Version: 3.6.12',
  'kube-apiserver': 'Kubernetes v1.36.3',
  'kube-controller-manager': 'Kubernetes v1.36.3',
  'kube-scheduler': 'Kubernetes v1.36.3',
  kwok: 'kwok version v0.8.0 go1.26.8 (linux/amd64)',
  kvstoremesh: 'Cilium ClusterMesh: 1.20.2 go version go1.26.8 linux/amd64',
  'clustermesh-apiserver': '# mod\tgithub.com/cilium/cilium\tv1.15.19',
  prometheus: 'prometheus, version 2.42.0+ds (branch: debian)',
};

export async function createEngineWorld(): Promise<EngineWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'engines-')));
  const bin = join(root, 'bin');
  const told: ProgressEvent[] = [];
  await mkdir(bin);
  await makeModules(join(root, 'engines'));
  const context = contextIn(root, bin, told);
  const program = async (name: string, ...lines: readonly string[]): Promise<string> => {
    await writeFile(join(bin, name), ['#!/bin/sh', ...lines, ''].join('\n'));
    await chmod(join(bin, name), 0o755);
    return join(bin, name);
  };
  return {
    root,
    context,
    told,
    program,
    go: async (onBuild = [], version = 'go1.26.8') => {
      await program('go', ...fakeGo(root, version, onBuild));
    },
    builds: async () => {
      const log = await readFile(join(root, 'go.log'), 'utf8').catch(() => '');
      return log.split('\n').filter((line) => line !== '');
    },
    with: (changes) => ({ ...context, ...changes }),
    remove: () => rm(root, { recursive: true }),
  };
}

/** A script that answers like the engine. */
export function engineScript(name: EngineName, text = VERSION_TEXTS[name]): string {
  return `#!/bin/sh\necho '${text}'\n`;
}

/** `go` of a machine: answers `env` and `version`, and builds what the package path ends with. */
function fakeGo(root: string, version: string, onBuild: readonly string[]): readonly string[] {
  const cases = Object.entries(VERSION_TEXTS).map(
    ([name, text]) => `  */${name}) text='${text}' ;;`,
  );
  return [
    'if [ "$1" = env ]; then',
    `  echo ${version}; echo '${root}/modules'; echo '${root}/build'; exit 0`,
    'fi',
    `if [ "$1" = version ]; then echo "go version ${version} linux/amd64"; exit 0; fi`,
    `echo "$@" >> '${root}/go.log'`,
    'while [ "$1" != -o ]; do shift; done; out="$2"',
    ...onBuild,
    'case "$out" in',
    ...cases,
    'esac',
    `{ echo '#!/bin/sh'; echo "echo '$text'"; } > "$out"`,
  ];
}

async function makeModules(engines: string): Promise<void> {
  for (const module of ['control-plane', 'exporter', 'prometheus']) {
    await mkdir(join(engines, module), { recursive: true });
    await writeFile(join(engines, module, 'go.mod'), `module ${module}\n`);
    await writeFile(join(engines, module, 'go.sum'), '');
  }
  await mkdir(join(engines, 'control-plane/kvstoremesh'));
  await writeFile(join(engines, 'control-plane/kvstoremesh/main.go'), 'package main\n');
}

function contextIn(root: string, bin: string, told: ProgressEvent[]): EngineContext {
  return {
    env: { PATH: bin, HOME: root },
    processes: systemProcesses,
    clock: impatientClock,
    host: {
      cores: 2,
      loadAverage: () => 0,
      totalMemory: () => 24 * GIB,
      availableMemory: () => 20 * GIB,
      freeDisk: () => Promise.resolve(100 * GIB),
    },
    progress: { report: (event) => told.push(event) },
    http: systemHttpGet,
    platform: { os: 'linux', arch: 'amd64' },
    cacheDir: join(root, 'cache'),
    enginesDir: join(root, 'engines'),
  };
}

/** Real time, but pauses for politeness are short; budgets and heartbeats stay long. */
const impatientClock: Clock = {
  ...systemClock,
  sleep: (duration, signal) => systemClock.sleep(duration > 5_000 ? duration : 1, signal),
};
