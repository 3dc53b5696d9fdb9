import { unknownFormat } from '../compare/errors.js';
import type { CommandContext } from './context.js';

/** The format that was asked for, of those that there are; `--json` says json. Throws `UserError`. */
export function resultFormat<Format extends string>(
  given: string,
  known: readonly Format[],
  context: CommandContext,
): Format | 'json' {
  if (context.wantsJson() || given === 'json') return 'json';
  const format = known.find((one) => one === given);
  if (format === undefined) throw unknownFormat(given, [...known, 'json']);
  return format;
}
