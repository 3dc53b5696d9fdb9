import type { DuckDBConnection } from '@duckdb/node-api';
import { badSql, noQueryEngine } from './errors.js';

/** What a query gave. */
export interface Answer {
  readonly columns: readonly string[];
  /** Numbers, texts, booleans and nulls as they are; lists and objects as JSON values. */
  readonly records: readonly (readonly unknown[])[];
}

/** A database in memory that reads files where they lie. */
export interface Database {
  /** Runs a statement of our own. */
  run(sql: string): Promise<void>;
  /** Answers a query. Throws `UserError` (store/bad-sql) for one that DuckDB refuses. */
  ask(sql: string): Promise<Answer>;
  close(): void;
}

/** Opens one. The library is loaded only now: it is optional, and its start takes 0.1 s and more. */
export async function openDatabase(): Promise<Database> {
  const connection = await connect();
  return {
    run: async (sql) => {
      await connection.run(sql);
    },
    ask: async (sql) => await answer(connection, sql),
    close: () => {
      connection.closeSync();
    },
  };
}

/** A text as a literal of SQL. */
export function literal(text: string): string {
  return `'${text.replace(/'/g, "''")}'`;
}

async function connect(): Promise<DuckDBConnection> {
  try {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    // Extensions would be fetched from the network at the first function that is in one.
    const instance = await DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
    });
    return await instance.connect();
  } catch (error) {
    throw noQueryEngine(error);
  }
}

async function answer(connection: DuckDBConnection, sql: string): Promise<Answer> {
  try {
    const reader = await connection.runAndReadAll(sql);
    const types = reader.columnTypes().map(String);
    const records = reader
      .getRowsJson()
      .map((record) => record.map((value, index) => plain(value, types[index] ?? '')));
    return { columns: reader.deduplicatedColumnNames(), records };
  } catch (error) {
    throw badSql(sql, error instanceof Error ? error.message : String(error));
  }
}

/** Whole numbers of 64 and more bits come as text; those that a double holds become numbers again. */
function plain(value: unknown, type: string): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'JSON') return parsed(value);
  if (!WIDE.test(type)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) || type.startsWith('DECIMAL') ? number : value;
}

const WIDE = /^(U?BIGINT|U?HUGEINT|DECIMAL)/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
