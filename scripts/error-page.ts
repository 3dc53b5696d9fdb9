import type { ErrorMeaning } from '../model/error-catalogue.js';
import { EXIT_CODES } from '../model/exit-codes.js';
import type { ListedCatalogue } from './error-catalogues.js';

/** The text of `docs/errors.md`, not yet aligned: every code, by area. Throws on a code made twice. */
export function errorPage(catalogues: readonly ListedCatalogue[]): string {
  const rows = catalogues.flatMap(rowsOf);
  refuseDoubles(rows);
  const sections = Object.entries(AREAS).flatMap(([area, title]) => {
    const these = rows.filter((row) => areaOf(row.code) === area).sort(byCode);
    return these.length === 0 ? [] : [section(area, title, these)];
  });
  return `${[HEAD, ...sections].join('\n\n')}\n`;
}

interface Row {
  readonly code: string;
  readonly file: string;
  readonly meaning: ErrorMeaning;
}

function rowsOf({ file, meanings }: ListedCatalogue): readonly Row[] {
  return Object.entries(meanings).map(([code, meaning]) => {
    if (!(areaOf(code) in AREAS)) throw new Error(`${file}: ${code} is of no known area`);
    return { code, file, meaning };
  });
}

function refuseDoubles(rows: readonly Row[]): void {
  const files = new Map<string, string>();
  for (const { code, file } of rows) {
    const other = files.get(code);
    if (other !== undefined) throw new Error(`${code} is made in ${other} and in ${file}`);
    files.set(code, file);
  }
}

function section(area: string, title: string, rows: readonly Row[]): string {
  return [
    `## ${area}: ${title}`,
    '',
    '| code | what it means | exit code |',
    '| --- | --- | --- |',
    ...rows.map(
      ({ code, meaning: { meaning, exit } }) =>
        `| <a id="${code}"></a>\`${code}\` | ${cell(meaning)} | [${EXIT_CODES[exit].code}](exit-codes.md#${exit}) ${exit} |`,
    ),
  ].join('\n');
}

function areaOf(code: string): string {
  return code.slice(0, code.indexOf('/'));
}

function byCode(a: Row, b: Row): number {
  return a.code < b.code ? -1 : 1;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** The areas of error codes and what they speak of. Only those with a code are on the page. */
const AREAS: Readonly<Record<string, string>> = {
  engine: 'the programs of the local mesh',
  mesh: 'the local mesh',
  kube: 'Kubernetes and etcd',
  inventory: 'the list of clusters',
  spec: 'command lines and descriptions of meshes',
  scenario: 'scenarios, knobs and measurements',
  run: 'runs',
  cl2: 'ClusterLoader2',
  fault: 'faults',
  collect: 'reading run folders',
  store: 'stored rows',
  fleet: 'Azure Kubernetes Fleet Manager',
  azure: 'Azure',
  plan: 'the planner',
  bench: 'benchmarks',
  latency: 'delays between clusters',
};

const HEAD = `# What does this error mean?

This page is made from the \`errors.ts\` files by \`npm run generate\`.

An error that you can do something about looks like this:

\`\`\`
error mesh/not-there: there is no local mesh here
  given:    /home/you/.local/state/meshscale/mesh
  next:     run \`meshscale up\`, or give the --state of another mesh
\`\`\`

\`given\` is what was found, \`expected\` what would have been right, \`next\` what to do. All problems of
an input are told at once. With \`--json\` they are also the array \`errors\` of the document on stdout.
A code is never renamed. \`internal/defect\` is in no table: it is a defect of meshscale; please report
it with the lines that follow it.`;
