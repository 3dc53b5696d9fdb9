import { resolve } from 'node:path';
import { nearestName } from '../../model/nearest-name.js';
import type { Answer } from '../store/database.js';
import { answerCsv, answerDocument, answerTable } from '../store/answer-text.js';
import { unknownQuery } from '../store/errors.js';
import { NAMED_QUERIES } from '../store/named-queries.js';
import { openStore } from '../store/open-store.js';
import type { CommandContext } from './context.js';
import { resultFormat } from './result-format.js';

/** What `meshscale query` was asked for. */
export interface QueryFlags {
  readonly named?: string;
  readonly runs: string;
  readonly format: string;
}

/** Asks, and tells the answer. Throws `UserError` for what cannot be asked. */
export async function query(
  sql: string | undefined,
  flags: QueryFlags,
  context: CommandContext,
): Promise<void> {
  const format = resultFormat(flags.format, ['table', 'csv'], context);
  const asked = flags.named === undefined ? sql : namedSql(flags.named);
  const answer =
    asked === undefined ? listed() : await ask(asked, resolve(context.cwd, flags.runs));
  if (format === 'json') context.output.json(answerDocument(answer));
  else context.output.data(format === 'csv' ? answerCsv(answer) : answerTable(answer));
}

async function ask(sql: string, runs: string): Promise<Answer> {
  const store = await openStore(runs);
  try {
    return await store.ask(sql);
  } finally {
    store.close();
  }
}

function listed(): Answer {
  const records = NAMED_QUERIES.map(({ name, question }) => [name, question]);
  return { columns: ['name', 'question'], records };
}

function namedSql(name: string): string {
  const found = NAMED_QUERIES.find((one) => one.name === name);
  if (found !== undefined) return found.sql;
  const known = NAMED_QUERIES.map((one) => one.name);
  throw unknownQuery(name, { nearest: nearestName(name, known), known });
}
