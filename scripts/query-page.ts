import { NAMED_QUERIES } from '../workload/store/named-queries.js';
import { ROW_COLUMNS } from '../workload/store/row-columns.js';

/** The text of `docs/named-queries.md`, not yet aligned: tables, columns and ready queries. */
export function queryPage(): string {
  const columns = ROW_COLUMNS.map(({ name, type, doc }) => `| \`${name}\` | ${type} | ${doc} |`);
  const queries = NAMED_QUERIES.map(
    ({ name, question }) => `| [${name}](#${name}) | ${question} |`,
  );
  const texts = NAMED_QUERIES.map(
    ({ name, question, sql }) => `### ${name}\n\n${question}\n\n\`\`\`sql\n${sql.trim()}\n\`\`\``,
  );
  return `${[
    HEAD,
    ['| query | question |', '| --- | --- |', ...queries].join('\n'),
    COLUMNS,
    ['| column | type | what |', '| --- | --- | --- |', ...columns].join('\n'),
    '## The queries',
    ...texts,
  ].join('\n\n')}\n`;
}

const HEAD = `# Ready queries, and what can be asked

This page is made from \`workload/store/\` by \`npm run generate\`. Ask one with
\`meshscale query --named NAME\`, or write SQL of your own: [query-and-compare.md](query-and-compare.md).`;

const COLUMNS = `## The tables

\`rows\` has a record for each line of every \`rows.jsonl\`. \`measured\` has a record for each number that is
present: the same columns without \`data\`, \`state\`, \`reason\` and \`verdict\`, and \`query\` (its name, such
as \`Perc99\`) and \`value\`.`;
