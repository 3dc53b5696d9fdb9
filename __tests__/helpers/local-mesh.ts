import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningMarked } from '../../local/marked-processes.js';
import { meshFile } from '../../local/state/mesh-file.js';
import { openProcessTable, type ProcessRecord } from '../../local/state/process-file.js';
import type { MeshStatus } from '../../local/status.js';
import { portIsFree } from '../../workload/platform/ports.js';
import { systemProcesses } from '../../workload/platform/system-processes.js';
import { cli, cliJson, startCli, type CliResult, type RunningCli } from './cli.js';

/** A state folder of a test, and the mesh in it, through the real command line. */
export interface LocalMesh {
  readonly stateDir: string;
  up(...flags: readonly string[]): Promise<CliResult>;
  startUp(...flags: readonly string[]): RunningCli;
  down(): Promise<CliResult>;
  startDown(): RunningCli;
  status(): Promise<MeshStatus>;
  records(): Promise<readonly ProcessRecord[]>;
  record(role: string, name: string): Promise<ProcessRecord>;
  /** Every port that the mesh's plan holds now. */
  ports(): Promise<readonly number[]>;
  /** What is left: processes with the mark, the folder, ports of `ports` that are not free. */
  leftovers(ports: readonly number[]): Promise<readonly string[]>;
  /** Ends the mesh, whatever state it is in, and removes the folder. */
  remove(): Promise<void>;
}

/** Makes a state folder for a test; starts nothing. Call `remove` at the end. */
export async function createLocalMesh(): Promise<LocalMesh> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'mesh-')));
  const stateDir = join(root, 'state');
  const state = ['--state', stateDir];
  const records = async (): Promise<readonly ProcessRecord[]> =>
    (await openProcessTable(join(stateDir, 'processes.json'))).all();
  return {
    stateDir,
    up: (...flags) => cli(['up', ...state, ...flags]),
    startUp: (...flags) => startCli(['up', ...state, ...flags]),
    down: () => cli(['down', ...state]),
    startDown: () => startCli(['down', ...state]),
    status: async () => (await cliJson(['mesh', 'status', ...state])) as MeshStatus,
    records,
    record: async (role, name) => {
      const found = (await records()).find((one) => one.role === role && one.name === name);
      if (found === undefined) throw new Error(`no process ${role}/${name} is recorded`);
      return found;
    },
    ports: async () => {
      const ports = (await meshFile(join(stateDir, 'mesh.json')).read())?.ports ?? {};
      return Object.values(ports).flatMap((purposes) => Object.values(purposes));
    },
    leftovers: (ports) => leftoversOf(stateDir, ports),
    remove: async () => {
      await cli(['down', ...state]);
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function leftoversOf(stateDir: string, ports: readonly number[]): Promise<readonly string[]> {
  const processes = runningMarked(stateDir, { processes: systemProcesses });
  const free = await Promise.all(ports.map(portIsFree));
  return [
    ...processes.map(({ key, pid }) => `process ${key} (${pid})`),
    ...(existsSync(stateDir) ? [`folder ${stateDir}`] : []),
    ...ports.filter((_, index) => free[index] === false).map((port) => `port ${port}`),
  ];
}

/** Kills one process of a mesh (by its recorded number) and nothing else. */
export function killOne(record: ProcessRecord, signal: NodeJS.Signals = 'SIGKILL'): void {
  systemProcesses.signalGroup(record, signal);
}
