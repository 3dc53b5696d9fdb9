import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isFile } from '../platform/files.js';
import { openDatabase, type Database } from './database.js';
import { noRuns } from './errors.js';
import { parquetOf, selectFrom, type RowSource } from './parquet-store.js';

/**
 * A database with the rows of every run below a folder (or of one run, or one file) as two tables:
 * `rows`, a record for each row, and `measured`, a record for each number. Throws `UserError`.
 */
export async function openStore(folder: string): Promise<Database> {
  const files = await rowFiles(folder);
  if (files.length === 0) throw noRuns(folder);
  const database = await openDatabase();
  try {
    const sources: RowSource[] = [];
    for (const file of files) sources.push(await parquetOf(file, database));
    await database.run(`CREATE VIEW rows AS ${selectFrom(sources)}`);
    await database.run(`CREATE VIEW measured AS ${MEASURED}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Each number of each row that is present, with the columns that say what it is. */
const MEASURED = `
  SELECT rows.* EXCLUDE (data, state, reason, verdict),
    entry.key AS query,
    CAST(entry.value AS DOUBLE) AS value
  FROM rows, json_each(rows.data) AS entry
  WHERE rows.state = 'present' AND entry.type IN ('DOUBLE', 'BIGINT', 'UBIGINT')`;

async function rowFiles(folder: string): Promise<readonly string[]> {
  if (await isFile(folder)) return [folder];
  const own = join(folder, 'rows.jsonl');
  if (await isFile(own)) return [own];
  const found: string[] = [];
  for (const name of (await namesIn(folder)).sort()) {
    const file = join(folder, name, 'rows.jsonl');
    if (await isFile(file)) found.push(file);
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
