import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CLUSTER_PORTS, planPorts, portOf } from '../../../local/state/port-plan.js';
import { withoutPorts } from '../../../local/plan-state.js';
import type { MeshPorts } from '../../../local/state/mesh-file.js';
import { seededRandom, systemRandom } from '../../../workload/platform/random.js';

const allOf = (ports: MeshPorts): readonly number[] =>
  Object.values(ports).flatMap((purposes) => Object.values(purposes));
const sizeFor = (clusters: number): number =>
  2 + clusters * (clusters - 1) + clusters * CLUSTER_PORTS.length;
const count = fc.integer({ min: 1, max: 5 });

describe('the port plan', () => {
  it('has one port for every purpose and no port twice', async () => {
    await fc.assert(
      fc.asyncProperty(count, fc.integer(), async (clusters, seed) => {
        const ports = allOf(await planPorts(clusters, {}, seededRandom(seed)));
        expect(ports).toHaveLength(sizeFor(clusters));
        expect(new Set(ports).size).toBe(ports.length);
      }),
      { numRuns: 10 },
    );
  });

  it('keeps every port over growth and drops those of removed clusters', async () => {
    await fc.assert(
      fc.asyncProperty(count, count, async (from, to) => {
        const before = await planPorts(from, {}, systemRandom);
        const after = await planPorts(to, before, systemRandom);
        expect(allOf(after)).toHaveLength(sizeFor(to));
        expect(new Set(allOf(after)).size).toBe(sizeFor(to));
        for (const [role, purposes] of Object.entries(after)) {
          for (const [purpose, port] of Object.entries(purposes)) {
            expect([port, undefined]).toContain(before[role]?.[purpose] ?? port);
            if (before[role]?.[purpose] !== undefined) expect(port).toBe(before[role][purpose]);
          }
        }
      }),
      { numRuns: 10 },
    );
  });

  it('finds another port only for what lost its own', async () => {
    const before = await planPorts(2, {}, systemRandom);
    const lost = portOf(before, 'mesh-002', 'kwok');
    const after = await planPorts(2, withoutPorts(before, new Set([lost])), systemRandom);
    const changed = allOf(before).filter((port) => !allOf(after).includes(port));
    expect(changed).toEqual([lost]);
  });

  it('passes over ports that somebody listens on', async () => {
    const [first = 0] = allOf(await planPorts(1, {}, seededRandom(9)));
    const server = createServer().listen(first, '127.0.0.1');
    const again = await planPorts(1, {}, seededRandom(9));
    expect(allOf(again)).not.toContain(first);
    await new Promise((resolve) => server.close(resolve));
  });

  it('fails at once when the range cannot hold them', async () => {
    await expect(planPorts(255, {}, systemRandom)).rejects.toMatchObject({
      code: 'mesh/ports-short',
    });
  });
});
