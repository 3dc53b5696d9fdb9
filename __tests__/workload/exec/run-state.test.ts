import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openJournal, type JournalEvent } from '../../../workload/exec/journal.js';
import { readRunState } from '../../../workload/exec/run-state.js';
import { systemProcesses } from '../../../workload/platform/system-processes.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'state-'));
});
afterEach(() => rm(folder, { recursive: true }));

const begun = (cluster: string): JournalEvent => ({
  ...{ event: 'phase-started', cluster, data: { phase: 'load' } },
});
const cleaned = (cluster: string, state: 'clean' | 'left'): JournalEvent => ({
  ...{ event: 'cleaned', cluster, data: { state } },
});

async function stateAfter(...events: readonly JournalEvent[]) {
  const journal = await openJournal(join(folder, 'journal.jsonl'), createVirtualClock());
  if (events.length > 0) await journal.append(...events);
  const { state, cleaned: clean } = await readRunState(folder, systemProcesses);
  return { state, clean };
}

describe('where a run stands', () => {
  it('is not begun without a line in its journal', async () => {
    expect(await stateAfter()).toEqual({ state: 'not-begun', clean: false });
  });

  it('is clean only when every cluster that was touched has been cleaned', async () => {
    const both = [begun('mesh-001'), begun('mesh-002'), cleaned('mesh-001', 'clean')];
    expect(await stateAfter(...both, cleaned('mesh-002', 'left'))).toMatchObject({ clean: false });
    expect(await stateAfter(cleaned('mesh-002', 'clean'))).toMatchObject({ clean: true });
    expect(await stateAfter({ event: 'run-ended' })).toEqual({ state: 'ended', clean: true });
  });

  it('is broken off when nobody holds it and it has no end', async () => {
    await mkdir(join(folder, 'probes'));
    expect(await stateAfter({ event: 'run-started' }, begun('mesh-001'))).toEqual({
      state: 'broken-off',
      clean: false,
    });
  });
});
