import { z } from 'zod';
import { STATE_SCHEMA_VERSION } from './mesh-file.js';
import { stateFile, type StateFile } from './state-file.js';

const recordSchema = z.object({
  role: z.string(),
  name: z.string(),
  pid: z.int(),
  startTime: z.string(),
  pgid: z.int(),
  ports: z.record(z.string(), z.int()),
  log: z.string(),
  /** Hash of program, arguments and configuration: another one means a restart. */
  fingerprint: z.string(),
});

const fileSchema = z.object({ processes: z.array(recordSchema) });

/** One process of the mesh, as it was started. */
export type ProcessRecord = z.infer<typeof recordSchema>;

/** `processes.json`, kept whole on disk at every change. */
export interface ProcessTable {
  all(): readonly ProcessRecord[];
  find(role: string, name: string): ProcessRecord | undefined;
  put(record: ProcessRecord): Promise<void>;
  remove(role: string, name: string): Promise<void>;
}

/** Opens the process table; changes of several clusters at once are written one after another. */
export async function openProcessTable(path: string): Promise<ProcessTable> {
  const file: StateFile<z.infer<typeof fileSchema>> = stateFile(
    path,
    STATE_SCHEMA_VERSION,
    fileSchema,
  );
  const records = new Map(
    ((await file.read())?.processes ?? []).map((record) => [keyOf(record), record] as const),
  );
  let writing: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    writing = writing.then(() => file.write({ processes: [...records.values()].sort(byName) }));
    return writing;
  };
  return {
    all: () => [...records.values()],
    find: (role, name) => records.get(keyOf({ role, name })),
    put: (record) => {
      records.set(keyOf(record), record);
      return save();
    },
    remove: (role, name) => {
      records.delete(keyOf({ role, name }));
      return save();
    },
  };
}

/** `mesh-001/etcd` */
export function keyOf(record: { readonly role: string; readonly name: string }): string {
  return `${record.role}/${record.name}`;
}

function byName(a: ProcessRecord, b: ProcessRecord): number {
  return keyOf(a).localeCompare(keyOf(b));
}
