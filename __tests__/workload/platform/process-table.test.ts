import { describe, expect, it } from '@jest/globals';
import { factsFromStat } from '../../../workload/platform/process-table.js';

/** A line of /proc/<pid>/stat, as the kernel writes it. */
const stat = (state: string, threads: number, name = 'prometheus'): string =>
  `4711 (${name}) ${state} 1 4711 4711 0 -1 4194560 100 0 0 0 5 3 0 0 20 0 ${threads} 0 123456 0 0`;

describe('the facts of a process', () => {
  it('are its start time and the leader of its group', () => {
    expect(factsFromStat(stat('S', 9))).toEqual({
      startTime: '123456',
      stopped: false,
      zombie: false,
      group: 4711,
    });
  });

  it('say that it is a zombie only when its last thread has ended: until then it holds its ports', () => {
    expect(factsFromStat(stat('Z', 3))).toMatchObject({ zombie: false });
    expect(factsFromStat(stat('Z', 1))).toMatchObject({ zombie: true });
  });

  it('are read right when its name has spaces and brackets', () => {
    expect(factsFromStat(stat('T', 1, 'a) Z 1 (b'))).toMatchObject({ stopped: true, group: 4711 });
  });

  it('are none when the text is not one of a process', () => {
    expect(factsFromStat('')).toBeUndefined();
  });
});
