import { decidingExit, EXIT_CODES, type ExitWord } from '../model/exit-codes.js';

/** The text of `docs/exit-codes.md`, not yet aligned. */
export function exitCodePage(): string {
  const words = Object.keys(EXIT_CODES) as ExitWord[];
  const rows = words.map((word) => {
    const { code, when } = EXIT_CODES[word];
    return `| <a id="${word}"></a>${code} | ${word} | ${when} |`;
  });
  return `${[HEAD, '| code | word | when |', '| --- | --- | --- |', ...rows].join('\n')}\n\n${tail(words)}\n`;
}

/** From the word that wins over all others to the one that wins over none. */
function byPrecedence(words: readonly ExitWord[]): readonly ExitWord[] {
  return words
    .filter((word) => word !== 'good')
    .sort((a, b) => (decidingExit([a, b]) === a ? -1 : 1));
}

const HEAD = `# What does the exit code mean?

This page is made from \`model/exit-codes.ts\` by \`npm run generate\`. Codes are never reused.
`;

function tail(words: readonly ExitWord[]): string {
  const order = byPrecedence(words).map((word) => EXIT_CODES[word].code);
  return `When several things went wrong, the first of these decides: ${order.join(', ')}.

Each error names its exit code in [errors.md](errors.md). In a shell script:

\`\`\`sh
node bin/meshscale.js mesh status --quiet > status.txt
case $? in
  0) echo 'the mesh is complete' ;;
  5) echo 'there is no mesh, or a part of it is unwell' ;;
esac
\`\`\``;
}
