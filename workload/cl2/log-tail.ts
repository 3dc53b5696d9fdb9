/** Remembers of a long log what tells how it ended. */
export interface LogTail {
  readonly take: (line: string) => void;
  /** Errors from anywhere, then the last lines, each once and in their order. */
  readonly text: () => string;
}

/** Keeps the last lines and the first errors, whatever the length of the log. */
export function createLogTail(): LogTail {
  const errors: { readonly number: number; readonly line: string }[] = [];
  const last: { readonly number: number; readonly line: string }[] = [];
  let number = 0;
  return {
    take: (line) => {
      number += 1;
      if (ERROR.test(line) && errors.length < KEPT_ERRORS) errors.push({ number, line });
      last.push({ number, line });
      if (last.length > KEPT_LINES) last.shift();
    },
    text: () => {
      const from = last[0]?.number ?? 0;
      const early = errors.filter((one) => one.number < from);
      return [...early, ...last].map(({ line }) => line).join('\n');
    },
  };
}

const ERROR = /^[EF]\d{4} |Step ".*" started$|^panic: |^fatal error: /;
/** Ours: enough to see what came before the end. */
const KEPT_LINES = 300;
const KEPT_ERRORS = 300;
