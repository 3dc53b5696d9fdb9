import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ROW_SCHEMA_VERSION, type Row } from '../../model/row.js';
import { isRow, rowProblem } from './row-check.js';
import { rowLine } from './row-line.js';

/** A file of rows that is being written; readers see the old one until {@link RowWriter.commit}. */
export interface RowWriter {
  /** Throws for a row that is not as its schema says: that is a defect of ours. */
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
      let text = '';
      for (const row of rows) text += `${checkedLine(row)}\n`;
      await handle.appendFile(text);
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

function checkedLine(row: Row): string {
  if (isRow(row)) return rowLine(row);
  const { place, message } = rowProblem(row) ?? { place: 'row', message: 'not as its schema says' };
  throw new Error(`a row of our own is broken at ${place}: ${message}`);
}

/** One line of a row file: a row, or why it is none. */
export type RowLine =
  | { readonly ok: true; readonly row: Row }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** Reads rows one by one. A line that is no row is named and costs only itself. */
export async function* readRows(file: string): AsyncGenerator<RowLine> {
  let number = 0;
  for await (const lines of linesOf(file)) {
    for (const text of lines) {
      number += 1;
      if (text.trim() !== '') yield parseRow(text, number);
    }
  }
}

/** All lines that end in one piece of the file at a time: `readline` takes twice as long. */
async function* linesOf(file: string): AsyncGenerator<readonly string[]> {
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 });
  let rest = '';
  for await (const piece of stream) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  yield [rest];
}

function parseRow(text: string, line: number): RowLine {
  try {
    const row: unknown = JSON.parse(text);
    if (isRow(row)) return { ok: true, row };
    const { place, message } = rowProblem(row) ?? { place: '', message: 'no row' };
    if (place === 'meshscale.schemaVersion') return { ok: false, line, reason: OTHER_VERSION };
    return { ok: false, line, reason: `${place}: ${message}` };
  } catch (error) {
    return { ok: false, line, reason: error instanceof Error ? error.message : String(error) };
  }
}

const OTHER_VERSION = `another release wrote it (this one knows schemaVersion ${ROW_SCHEMA_VERSION}): collect the run again`;
