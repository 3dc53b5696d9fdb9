import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { COLUMNS_VERSION, columnSelection, LINE_TYPES } from './row-columns.js';
import { literal, type Database } from './database.js';

/** A file that holds the rows of one run. */
export interface RowSource {
  readonly file: string;
  readonly format: 'parquet' | 'jsonl';
}

/**
 * `rows.parquet` (zstd) beside `rows.jsonl`, made when it is not there, older, or of another version
 * of the columns. Where it cannot be written, for instance in a folder of somebody else, the lines
 * themselves are the source.
 */
export async function parquetOf(jsonl: string, database: Database): Promise<RowSource> {
  const parquet = jsonl.replace(/(\.jsonl)?$/, '.parquet');
  if (await isFresh(parquet, jsonl, database)) return { file: parquet, format: 'parquet' };
  const part = join(
    dirname(parquet),
    `.${basename(parquet)}.${randomBytes(6).toString('hex')}.part`,
  );
  try {
    await database.run(
      `COPY (${selectFrom([{ file: jsonl, format: 'jsonl' }])}) TO ${literal(part)} ` +
        `(FORMAT parquet, COMPRESSION zstd, KV_METADATA { ${VERSION_KEY}: '${COLUMNS_VERSION}' })`,
    );
    await rename(part, parquet);
    return { file: parquet, format: 'parquet' };
  } catch {
    await rm(part, { force: true });
    return { file: jsonl, format: 'jsonl' };
  }
}

/** The query that gives the columns of `rows` from files. Lines that are no JSON are left out. */
export function selectFrom(sources: readonly RowSource[]): string {
  const parquet = sources.filter(({ format }) => format === 'parquet').map(({ file }) => file);
  const lines = sources.filter(({ format }) => format === 'jsonl').map(({ file }) => file);
  return [
    ...(parquet.length === 0 ? [] : [`SELECT * FROM read_parquet(${list(parquet)})`]),
    ...(lines.length === 0 ? [] : [selectFromLines(lines)]),
  ].join(' UNION ALL BY NAME ');
}

function selectFromLines(files: readonly string[]): string {
  const types = Object.entries(LINE_TYPES).map(([name, type]) => `"${name}": '${type}'`);
  const settings = [
    "format = 'newline_delimited'",
    'ignore_errors = true',
    `maximum_object_size = ${MOST_BYTES}`,
    `columns = { ${types.join(', ')} }`,
  ];
  const lines = `read_json(${list(files)}, ${settings.join(', ')})`;
  return `SELECT ${columnSelection()} FROM ${lines} WHERE measurement IS NOT NULL`;
}

function list(files: readonly string[]): string {
  return `[${files.map(literal).join(', ')}]`;
}

const VERSION_KEY = 'meshscale_columns';
/** The longest line: one row may carry a whole file as its result. */
const MOST_BYTES = 128 * 1024 * 1024;

async function isFresh(parquet: string, jsonl: string, database: Database): Promise<boolean> {
  try {
    const [made, from] = [await stat(parquet), await stat(jsonl)];
    if (made.mtimeMs < from.mtimeMs) return false;
    const { records } = await database.ask(
      `SELECT decode(value) FROM parquet_kv_metadata(${literal(parquet)}) WHERE decode(key) = '${VERSION_KEY}'`,
    );
    return records[0]?.[0] === String(COLUMNS_VERSION);
  } catch {
    return false; // not there, or no Parquet
  }
}
