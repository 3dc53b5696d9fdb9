/** Takes bytes as they come and gives whole lines. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
}

const NEWLINE = 0x0a;

/**
 * Splits a stream into lines wherever the chunks happen to end. It works on bytes and decodes whole
 * lines only, so a character cut in two by a chunk's end is never damaged: no byte of a multi-byte
 * UTF-8 character equals a newline. Empty lines are left out. What stands behind the last newline is
 * kept and never given: a watch event without its newline is a cut one.
 */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  let pending: Uint8Array[] = [];
  const finish = (tail: Uint8Array): void => {
    const bytes = pending.length === 0 ? tail : Buffer.concat([...pending, tail]);
    pending = [];
    if (bytes.length > 0) onLine(textOf(bytes));
  };
  return {
    push: (chunk) => {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        finish(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) pending.push(chunk.subarray(start));
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
