import { z } from 'zod';
import {
  errorCode,
  PRIVATE_FILE,
  readIfThere,
  writeAtomic,
} from '../../workload/platform/files.js';
import { isUnwritable } from '../is-unwritable.js';
import { stateUnreadable, stateUnwritable, stateVersionUnknown } from './errors.js';

/** A JSON file of the state folder: its version, its schema, and how it is read and written. */
export interface StateFile<T> {
  /** The content, or undefined when there is no file. Throws a UserError for what it cannot read. */
  read(): Promise<T | undefined>;
  write(content: T): Promise<void>;
}

/** Describes the state file at `path`; `schemaVersion` stands first in it. */
export function stateFile<T>(path: string, version: number, schema: z.ZodType<T>): StateFile<T> {
  return {
    read: async () => {
      const text = await textOf(path);
      return text === undefined ? undefined : parse(path, text, version, schema);
    },
    write: (content) =>
      writeAtomic(
        path,
        `${JSON.stringify({ schemaVersion: version, ...content }, undefined, 2)}\n`,
        PRIVATE_FILE,
      ),
  };
}

/** A folder in the place of the file is a file that is damaged: `down` clears it. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readIfThere(path);
  } catch (error) {
    if (errorCode(error) === 'EISDIR') throw stateUnreadable(path, 'it is a folder');
    throw isUnwritable(error) ? stateUnwritable(path, error) : error;
  }
}

function parse<T>(path: string, text: string, version: number, schema: z.ZodType<T>): T {
  const raw = parseJson(path, text);
  const head = z.object({ schemaVersion: z.number() }).safeParse(raw);
  if (!head.success) throw stateUnreadable(path, 'it has no schemaVersion');
  if (head.data.schemaVersion !== version) {
    throw stateVersionUnknown(path, head.data.schemaVersion, version);
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw stateUnreadable(path, z.prettifyError(parsed.error));
  return parsed.data;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw stateUnreadable(path, error instanceof Error ? error.message : 'it is not JSON');
  }
}
