import type { Comparison } from '../compare-runs.js';
import { countText, shownChanges } from './shown-changes.js';

/** Lists longer than this say how many more there are. Our choice: a page of a terminal. */
const MOST_LINES = 40;

/** A comparison for a terminal. */
export function comparisonTable(comparison: Comparison): string {
  const { before, after, notes, changes, checks } = comparison;
  const shown = shownChanges(changes);
  const cells = [
    ['state', 'value', 'before', 'after', 'by', 'how sure'],
    ...shown.slice(0, MOST_LINES).map((one) => Object.values<string>({ ...one })),
  ];
  return [
    `${before.run} → ${after.run}`,
    ...notes.map((note) => `note: ${note}`),
    noiseText(comparison),
    ...checks.map((check) => `${check.state.padEnd(7)} ${check.text}`),
    ...(shown.length === 0 ? [] : columns(cells)),
    ...moreLine(shown.length),
    `${verdictText(comparison)} (${countText(changes) || 'no values'})`,
  ].join('\n');
}

/** A comparison for a pull request. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { before, after, notes, changes, checks } = comparison;
  const shown = shownChanges(changes);
  const rows = shown.slice(0, MOST_LINES).map(
    (one) =>
      `| ${Object.values<string>({ ...one })
        .map(cell)
        .join(' | ')} |`,
  );
  const table = [
    '| state | value | before | after | by | how sure |',
    '| --- | --- | ---: | ---: | ---: | --- |',
    ...rows,
  ];
  return [
    `**${verdictText(comparison)}** (${countText(changes) || 'no values'})`,
    '',
    `\`${before.run}\` → \`${after.run}\`. ${noiseText(comparison)}`,
    '',
    ...notes.map((note) => `> ${note}\n`),
    ...checks.map((check) => `- ${check.state === 'held' ? '✅' : '❌'} ${cell(check.text)}`),
    ...(checks.length > 0 ? [''] : []),
    ...(rows.length > 0 ? table : []),
    ...moreLine(shown.length),
    '',
  ].join('\n');
}

/** The answer in one sentence. */
export function verdictText({ verdict, checks }: Comparison): string {
  switch (verdict) {
    case 'same':
      return checks.length > 0 ? 'Every threshold holds' : 'Nothing is surely worse';
    case 'worse':
      return checks.length > 0 ? 'A threshold is missed' : 'Something is worse';
    case 'incomparable':
      return 'Cannot be judged: values are gone, or there is nothing to compare';
  }
}

function noiseText({ repeated }: Comparison): string {
  return repeated === 0
    ? 'Noise between runs is unknown: fewer than 3 earlier good runs lie beside the first'
    : `Noise between runs is estimated from ${repeated} runs`;
}

function moreLine(count: number): readonly string[] {
  return count > MOST_LINES ? [`and ${count - MOST_LINES} more (--format json has all)`] : [];
}

/** Left-aligned, except for numbers in the middle. */
function columns(cells: readonly (readonly string[])[]): readonly string[] {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  );
  return cells.map((line) =>
    line
      .map((text, column) => {
        const width = widths[column] ?? 0;
        return column >= 2 && column <= 4 ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

function cell(text: string): string {
  return text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');
}
