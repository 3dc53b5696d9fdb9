import { parseLenientJson } from './lenient-json.js';

/** The values of a JSON Lines text, and the lines that were none. */
export interface JsonLines {
  readonly values: readonly unknown[];
  /** `line 7: not JSON: …` */
  readonly problems: readonly string[];
}

/**
 * Reads JSON Lines. A line that is not JSON is named and costs only itself: the last line of a file
 * whose writer was killed is often cut off.
 */
export function parseJsonLines(text: string): JsonLines {
  const values: unknown[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const json = parseLenientJson(line);
    if (json.ok) values.push(json.value);
    else problems.push(`line ${index + 1}: ${json.reason}`);
  }
  return { values, problems };
}
