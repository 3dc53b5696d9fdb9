import { describe, expect, it } from '@jest/globals';
import { checkCapacity } from '../../local/capacity.js';
import { GIB, MIB } from '../../model/quantity.js';
import type { Host } from '../../workload/platform/host.js';

const host = (memory: number, disk = 100 * GIB): Host => ({
  cores: 2,
  loadAverage: () => 0,
  totalMemory: () => 24 * GIB,
  availableMemory: () => memory,
  freeDisk: () => Promise.resolve(disk),
});

describe('the room for a mesh', () => {
  it('is enough for five clusters on a machine of 24 GiB', async () => {
    await expect(checkCapacity(5, '/state', host(20 * GIB))).resolves.toBeUndefined();
  });

  it('is not looked at when nothing is added', async () => {
    await expect(checkCapacity(0, '/state', host(0, 0))).resolves.toBeUndefined();
    await expect(checkCapacity(-2, '/state', host(0, 0))).resolves.toBeUndefined();
  });

  it('fails for too little memory with the arithmetic and what would fit', async () => {
    await expect(checkCapacity(4, '/state', host(2_600 * MIB))).rejects.toMatchObject({
      code: 'mesh/memory-short',
      exit: 'infrastructure',
      given: '4 clusters × 1.1 GiB + 400 MiB = 4.7 GiB; free: 2.5 GiB',
      expected: 'at most 2 new clusters fit now',
    });
  });

  it('fails without a smaller number when not even one fits', async () => {
    await expect(checkCapacity(1, '/state', host(300 * MIB))).rejects.toMatchObject({
      expected: 'at most 0 new clusters fit now',
      next: expect.stringContaining('not even one'),
    });
  });

  it('fails exactly where the next cluster does not fit any more', async () => {
    const enough = 2 * 1_100 * MIB + 400 * MIB;
    await expect(checkCapacity(2, '/state', host(enough))).resolves.toBeUndefined();
    await expect(checkCapacity(2, '/state', host(enough - 1))).rejects.toThrow('memory');
  });

  it('fails for too little disk and names the folder', async () => {
    await expect(checkCapacity(2, '/state', host(20 * GIB, 900 * MIB))).rejects.toMatchObject({
      code: 'mesh/disk-short',
      given: '/state: 900 MiB free',
      expected: '1000 MiB',
    });
  });
});
