/** A text as JSON writes it. Most have nothing to escape, and JSON.stringify is slow to find that out. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Printable ASCII but the quote and the backslash: nothing that JSON has to escape. */
const PLAIN = /^[ !#-[\]-~]*$/;
