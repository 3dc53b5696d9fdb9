import { describe, expect, it } from '@jest/globals';
import { EXIT_CODES } from '../../model/exit-codes.js';
import { exitCodePage } from '../../scripts/exit-code-page.js';

describe('docs/exit-codes.md', () => {
  it('has a row with an anchor for every exit code', () => {
    const page = exitCodePage();
    for (const [word, { code, when }] of Object.entries(EXIT_CODES)) {
      expect(page).toContain(`| <a id="${word}"></a>${code} | ${word} | ${when} |`);
    }
  });

  it('tells which code decides when several things went wrong', () => {
    expect(exitCodePage()).toContain('decides: 130, 143, 1, 2, 8, 5, 4, 7, 6, 3.');
  });
});
