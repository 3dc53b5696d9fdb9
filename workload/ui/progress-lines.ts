import type { Progress, ProgressEvent } from '../platform/progress.js';

const MARKS: Readonly<Record<ProgressEvent['state'], string>> = {
  running: '…',
  done: '✓',
  failed: '✗',
  note: '·',
};

/** One line for every change of state; a repeated line is told once. For logs and pipes. */
export function progressLines(write: (text: string) => void): Progress {
  const last = new Map<string, string>();
  return {
    report: (event) => {
      const line = progressLine(event);
      if (last.get(event.subject) === line) return;
      last.set(event.subject, line);
      write(`${line}\n`);
    },
  };
}

/** `✓ mesh-001  kube-apiserver is ready` */
export function progressLine(event: ProgressEvent): string {
  return `${MARKS[event.state]} ${event.subject.padEnd(9)} ${event.text}`;
}
