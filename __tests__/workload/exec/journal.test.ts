import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openJournal, readJournalText } from '../../../workload/exec/journal.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('the journal', () => {
  it('numbers its lines and gives them both clocks', async () => {
    const clock = createVirtualClock(Date.parse('2026-05-15T02:00:00.000Z'));
    const journal = await openJournal(join(folder, 'j'), clock);
    await journal.append({ event: 'run-started' });
    await clock.advance(1_500);
    await journal.append({ event: 'phase-started', cluster: 'mesh-001', data: { phase: 'load' } });
    const { entries } = readJournalText(await readFile(join(folder, 'j'), 'utf8'));
    expect(entries).toEqual([
      { seq: 1, t: '2026-05-15T02:00:00.000Z', mono: '0', event: 'run-started' },
      {
        seq: 2,
        t: '2026-05-15T02:00:01.500Z',
        mono: '1500000000',
        event: 'phase-started',
        cluster: 'mesh-001',
        data: { phase: 'load' },
      },
    ]);
  });

  it('keeps a line that the disk refused from spoiling the next one', async () => {
    const file = join(folder, 'not-yet', 'j');
    const journal = await openJournal(file, createVirtualClock());
    await expect(journal.append({ event: 'run-started' })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await mkdir(join(folder, 'not-yet'));
    // What a full disk takes of a line before it refuses the rest.
    await writeFile(file, '{"seq":1,"t":"20');
    await journal.append({ event: 'interrupted' });
    const { entries, torn } = readJournalText(await readFile(file, 'utf8'));
    expect({ events: entries.map(({ event }) => event), torn }).toEqual({
      events: ['interrupted'],
      torn: 1,
    });
  });

  it('goes on after a line that a crash has torn, wherever it was torn', async () => {
    const file = join(folder, 'j');
    const clock = createVirtualClock();
    const first = await openJournal(file, clock);
    await first.append({ event: 'run-started' }, { event: 'gate' });
    const whole = await readFile(file, 'utf8');
    const secondLine = whole.indexOf('\n') + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: secondLine, max: whole.length }), async (cut) => {
        await writeFile(file, whole.slice(0, cut));
        const again = await openJournal(file, clock);
        await again.append({ event: 'interrupted' });
        const { entries, torn } = readJournalText(await readFile(file, 'utf8'));
        expect(entries[0]?.event).toBe('run-started');
        expect(entries.at(-1)?.event).toBe('interrupted');
        expect(torn).toBeLessThanOrEqual(1);
        const numbers = entries.map(({ seq }) => seq);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the order of appends that nobody waited for', async () => {
    const file = join(folder, 'j');
    const journal = await openJournal(file, createVirtualClock());
    await Promise.all([
      journal.append({ event: 'attempt-started', attempt: 1 }),
      journal.append({ event: 'attempt-started', attempt: 2 }),
      journal.append({ event: 'attempt-started', attempt: 3 }),
    ]);
    const { entries } = readJournalText(await readFile(file, 'utf8'));
    expect(entries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it('fails when its folder is gone, and is usable when it is back', async () => {
    const file = join(folder, 'gone', 'j');
    const journal = await openJournal(file, createVirtualClock());
    await expect(journal.append({ event: 'run-started' })).rejects.toThrow('ENOENT');
    await mkdir(join(folder, 'gone'));
    await journal.append({ event: 'interrupted' });
    const { entries } = readJournalText(await readFile(file, 'utf8'));
    expect(entries).toMatchObject([{ seq: 1, event: 'interrupted' }]);
  });
});
