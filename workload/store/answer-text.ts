import type { Answer } from './database.js';

/** The version of the document of `query --format json`. */
const ANSWER_VERSION = 1;

/** An answer in columns; numbers to the right. */
export function answerTable({ columns, records }: Answer): string {
  const cells = [columns, ...records.map((record) => record.map(cellText))];
  const widths = columns.map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  );
  const numeric = columns.map((_, column) =>
    records.every((record) => record[column] === null || typeof record[column] === 'number'),
  );
  const lines = cells.map((line) =>
    line
      .map((text, column) => {
        const width = widths[column] ?? 0;
        return numeric[column] === true ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return [...lines, `(${records.length} ${records.length === 1 ? 'row' : 'rows'})`].join('\n');
}

/** An answer as comma-separated values. @see RFC 4180 */
export function answerCsv({ columns, records }: Answer): string {
  return [columns, ...records.map((record) => record.map((value) => textOf(value)))]
    .map((line) => line.map(csvCell).join(','))
    .join('\r\n');
}

/** An answer for programs. */
export function answerDocument({ columns, records }: Answer): object {
  return {
    schemaVersion: ANSWER_VERSION,
    columns,
    rows: records.map((record) =>
      Object.fromEntries(columns.map((column, index) => [column, record[index] ?? null])),
    ),
  };
}

/** A line is a line, whatever stands in a value. */
function cellText(value: unknown): string {
  return value === null ? '–' : textOf(value).replace(/\s+/g, ' ');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
