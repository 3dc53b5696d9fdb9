import type { Progress, ProgressEvent } from '../platform/progress.js';
import { progressLine } from './progress-lines.js';

/** The terminal that the live list is drawn on. */
export interface Terminal {
  write(text: string): void;
  readonly columns: number;
  readonly rows: number;
}

const CLEAR_TO_END = '\u001b[0J';

/**
 * A list with one line per subject that is redrawn in place: what runs stays at the bottom, what is
 * done or failed scrolls away above it, so the screen reads as a log afterwards.
 */
export function progressLive(terminal: Terminal): Progress {
  const running = new Map<string, ProgressEvent>();
  let drawn = 0;
  return {
    report: (event) => {
      const shown = running.get(event.subject);
      if (event.state === 'running' && shown?.text === event.text) return;
      const up = drawn > 0 ? `\u001b[${drawn}A` : '';
      terminal.write(`${up}\r${CLEAR_TO_END}`);
      running.delete(event.subject);
      if (event.state === 'running') running.set(event.subject, event);
      else terminal.write(`${progressLine(event)}\n`);
      const lines = [...running.values()]
        .slice(-Math.max(1, terminal.rows - 2))
        .map(fit(terminal.columns));
      terminal.write(lines.map((line) => `${line}\n`).join(''));
      drawn = lines.length;
    },
  };
}

function fit(columns: number): (event: ProgressEvent) => string {
  return (event) => progressLine(event).slice(0, columns - 1);
}
