import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROW_SCHEMA_VERSION, rowSchema, type Row } from '../../model/row.js';

/** A file of rows that is being written; readers see the old one until {@link RowWriter.commit}. */
export interface RowWriter {
  write(rows: readonly Row[]): Promise<void>;
  /** Flushes to disk and puts the file in its place; gives the number of rows. */
  commit(): Promise<number>;
  /** Leaves the old file, if any, as it was. */
  discard(): Promise<void>;
}

/** Starts a row file beside its place. Call `commit` or `discard` at the end. */
export async function openRowWriter(file: string): Promise<RowWriter> {
  const part = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.part`);
  const handle: FileHandle = await open(part, 'wx');
  let count = 0;
  return {
    write: async (rows) => {
      if (rows.length === 0) return;
      await handle.appendFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      count += rows.length;
    },
    commit: async () => {
      await handle.sync();
      await handle.close();
      await rename(part, file);
      return count;
    },
    discard: async () => {
      await handle.close();
      await rm(part, { force: true });
    },
  };
}

/** One line of a row file: a row, or why it is none. */
export type RowLine =
  | { readonly ok: true; readonly row: Row }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** Reads rows one by one. A line that is no row is named and costs only itself. */
export async function* readRows(file: string): AsyncGenerator<RowLine> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() !== '') yield parseRow(text, number);
  }
}

function parseRow(text: string, line: number): RowLine {
  try {
    const found = rowSchema.safeParse(JSON.parse(text));
    if (found.success) return { ok: true, row: found.data };
    const [issue] = found.error.issues;
    const place = issue?.path.join('.') ?? '';
    if (place === 'meshscale.schemaVersion') return { ok: false, line, reason: OTHER_VERSION };
    return { ok: false, line, reason: `${place}: ${issue?.message ?? ''}` };
  } catch (error) {
    return { ok: false, line, reason: error instanceof Error ? error.message : String(error) };
  }
}

const OTHER_VERSION = `another release wrote it (this one knows schemaVersion ${ROW_SCHEMA_VERSION}): collect the run again`;
