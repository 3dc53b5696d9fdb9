/** What a line of ClusterLoader2's log says that we act upon. @see data/clusterloader2.md §4.5 */
export type LogEvent =
  | { readonly kind: 'step-started'; readonly step: string; readonly at: number | undefined }
  | { readonly kind: 'step-ended'; readonly step: string; readonly at: number | undefined }
  /** Belongs to the step that ended last. */
  | { readonly kind: 'step-errors'; readonly text: string };

/** Reads one line; undefined when it is of no concern. `at`: milliseconds of its day, by its clock. */
export function readLogLine(line: string): LogEvent | undefined {
  const { head, text } = split(line);
  const step = STEP.exec(text)?.groups;
  if (step !== undefined) {
    const kind = step['what'] === 'started' ? 'step-started' : 'step-ended';
    return { kind, step: unquoted(step['name'] ?? ''), at: timeOf(head) };
  }
  const errors = ERRORS.exec(text)?.[1];
  return errors === undefined ? undefined : { kind: 'step-errors', text: errors };
}

/** Milliseconds between two times of day; a run may go over midnight. */
export function betweenTimesOfDay(from: number, to: number): number {
  return to >= from ? to - from : to - from + DAY;
}

function split(line: string): { readonly head: string; readonly text: string } {
  const match = KLOG.exec(line);
  return match === null ? { head: '', text: line } : { head: match[1] ?? '', text: match[2] ?? '' };
}

function timeOf(head: string): number | undefined {
  const match = /(\d\d):(\d\d):(\d\d)\.(\d{6})/.exec(head);
  if (match === null) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, micros = 0] = match.slice(1).map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + micros / 1_000;
}

/** Go quotes names with `%q`. */
function unquoted(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

const KLOG = /^([IWEF]\d{4} \d\d:\d\d:\d\d\.\d+)\s+\d+ [^\]]*\] (.*)$/s;
const STEP = /^Step "(?<name>(?:[^"\\]|\\.)*)" (?<what>started|ended)$/;
const ERRORS = /^Got errors during step execution: (.*)$/s;
const DAY = 86_400_000;
