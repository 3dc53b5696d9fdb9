import { describe, expect, it } from '@jest/globals';
import { GIB, MIB } from '../../../model/quantity.js';
import { deriveParallelism, type ParallelRequest } from '../../../workload/exec/parallelism.js';
import { userErrorsOf } from '../../../model/user-error.js';

const request = (changes: Partial<ParallelRequest> = {}): ParallelRequest => ({
  clusters: 100,
  together: false,
  cost: { memory: 300 * MIB, openFiles: 16, coresPerWrite: 0.0024 },
  machine: { cores: 4, availableMemory: 16 * GIB, openFiles: 1024 },
  writes: 20,
  ...changes,
});

function refusal(changes: Partial<ParallelRequest>) {
  try {
    deriveParallelism(request(changes));
  } catch (error) {
    return userErrorsOf(error)[0];
  }
  throw new Error('it was not refused');
}

describe('how many clusters run at once', () => {
  it('is what the tightest of memory, open files and CPU bears, with that as its reason', () => {
    expect(deriveParallelism(request())).toEqual({
      limit: 38,
      reason: 'as many as memory bears 38: 300 MiB each, of 16.0 GiB that are free',
    });
    const files = { cores: 4, availableMemory: 64 * GIB, openFiles: 360 };
    expect(deriveParallelism(request({ machine: files })).limit).toBe(10);
    const cpu = deriveParallelism(request({ writes: 200 }));
    expect(cpu).toMatchObject({ limit: 5, reason: expect.stringContaining('CPU bears 5') });
  });

  it('is all of them where all fit, and one at least where none does', () => {
    expect(deriveParallelism(request({ clusters: 3 })).limit).toBe(3);
    const tiny = { cores: 1, availableMemory: 10 * MIB };
    expect(deriveParallelism(request({ machine: tiny })).limit).toBe(1);
  });

  it('is what was asked for, and no more than there are', () => {
    expect(deriveParallelism(request({ asked: '50' })).limit).toBe(50);
    expect(deriveParallelism(request({ asked: '500' })).limit).toBe(100);
  });

  it('is all of those that observe each other', () => {
    const together = { together: true, clusters: 30 };
    expect(deriveParallelism(request(together))).toMatchObject({
      limit: 30,
      reason: expect.stringContaining('because they observe each other'),
    });
    expect(deriveParallelism(request({ ...together, asked: '30' })).limit).toBe(30);
  });

  it('fails for fewer than have to meet, and says where fewer would be possible', () => {
    expect(refusal({ together: true, asked: '20' })).toMatchObject({
      code: 'run/parallel-too-few',
      given: '--parallel 20 with 100 clusters',
      expected: expect.stringContaining('config-smoke'),
    });
  });

  it('fails where those that have to meet do not fit, unless it was asked for', () => {
    expect(refusal({ together: true })).toMatchObject({
      code: 'run/too-many-clusters',
      given: expect.stringContaining('memory bears 38'),
      next: expect.stringContaining('--executor job'),
    });
    expect(deriveParallelism(request({ together: true, asked: '100' })).limit).toBe(100);
  });

  it.each(['0', '-1', 'all', '1.5', ''])('fails for --parallel %s', (asked) => {
    expect(refusal({ asked })).toMatchObject({
      code: 'run/bad-parallel',
      given: `--parallel ${asked}`,
    });
  });
});
