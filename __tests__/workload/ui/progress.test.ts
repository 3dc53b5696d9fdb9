import { describe, expect, it } from '@jest/globals';
import { progressLines } from '../../../workload/ui/progress-lines.js';
import { progressLive } from '../../../workload/ui/progress-live.js';

const running = (subject: string, text: string) => ({ subject, text, state: 'running' as const });

describe('progress as lines', () => {
  it('is one line for every change, with the state in front', () => {
    const lines: string[] = [];
    const progress = progressLines((text) => lines.push(text));
    progress.report(running('mesh-001', 'etcd …'));
    progress.report(running('mesh-001', 'etcd …'));
    progress.report(running('mesh', 'etcd …'));
    progress.report({ subject: 'mesh-001', state: 'done', text: 'is up' });
    progress.report({ subject: 'mesh-001', state: 'failed', text: 'is down' });
    progress.report({ subject: 'mesh-001', state: 'note', text: 'by the way' });
    expect(lines).toEqual([
      '… mesh-001  etcd …\n',
      '… mesh      etcd …\n',
      '✓ mesh-001  is up\n',
      '✗ mesh-001  is down\n',
      '· mesh-001  by the way\n',
    ]);
  });
});

/** What a terminal shows after all that was written, without colours. */
class Screen {
  lines: string[] = [''];
  row = 0;
  written = 0;
  constructor(
    readonly columns: number,
    readonly rows: number,
  ) {}
  write(text: string): void {
    this.written += 1;
    for (const [, up, clear, newline, letters] of text.matchAll(
      // eslint-style: the escapes that the live list uses, and nothing else
      /\u001b\[(\d+)A|(\u001b\[0J)|(\n)|([^\u001b\n\r]+)/g,
    )) {
      if (up !== undefined) this.row -= Number(up);
      else if (clear !== undefined) this.lines.splice(this.row, Infinity, '');
      else if (newline !== undefined) this.lines[(this.row += 1)] ??= '';
      else this.lines[this.row] = letters ?? '';
    }
  }
}

describe('live progress', () => {
  it('keeps what runs at the bottom and lets what is done scroll away above', () => {
    const screen = new Screen(80, 24);
    const progress = progressLive(screen);
    progress.report(running('mesh-001', 'etcd …'));
    progress.report(running('mesh-002', 'etcd …'));
    progress.report(running('mesh-001', 'kube-apiserver …'));
    progress.report({ subject: 'mesh-002', state: 'done', text: 'is up' });
    expect(screen.lines).toEqual(['✓ mesh-002  is up', '… mesh-001  kube-apiserver …', '']);
  });

  it('draws nothing anew when nothing has changed', () => {
    const screen = new Screen(80, 24);
    const progress = progressLive(screen);
    progress.report(running('mesh', 'a Service is seen over 0 of 2 links'));
    const { written } = screen;
    progress.report(running('mesh', 'a Service is seen over 0 of 2 links'));
    expect(screen.written).toBe(written);
  });

  it.each([1, 2, 3, 5])('never draws more than fits on %i rows', (rows) => {
    const screen = new Screen(20, rows);
    const progress = progressLive(screen);
    for (let cluster = 1; cluster <= 9; cluster += 1) progress.report(running(`m${cluster}`, 'x'));
    expect(screen.lines.filter((line) => line !== '')).toHaveLength(Math.max(1, rows - 2));
  });

  it('cuts lines that are wider than the terminal, which would break the redrawing', () => {
    const screen = new Screen(20, 24);
    progressLive(screen).report(running('mesh', 'a very long text that does not fit'));
    expect(screen.lines[0]).toHaveLength(19);
  });
});
