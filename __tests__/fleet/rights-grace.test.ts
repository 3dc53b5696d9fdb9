import { describe, expect, it } from '@jest/globals';
import { startBudget } from '../../fleet/budget.js';
import { sendInProcess } from '../../sim/fleet-service/in-process.js';
import { apiOver, createTestFleet } from '../helpers/fleet-world.js';

const FIVE_MINUTES = 5 * 60_000;

describe('a role that was given a moment ago', () => {
  it.each(['AuthorizationFailed', 'LinkedAuthorizationFailed'])(
    'is waited for while %s may be its delay',
    async (code) => {
      const { test, members } = refusing(code, 6);
      expect(await members(FIVE_MINUTES)).toHaveLength(2);
      expect(test.requests('/members')).toBe(7);
    },
  );

  it('fails when it does not act within five minutes, and says what is needed', async () => {
    const { test, members } = refusing('AuthorizationFailed', 1e6);
    await expect(members(FIVE_MINUTES)).rejects.toMatchObject({
      code: 'azure/refused',
      next: expect.stringContaining('a role that was just granted takes some minutes'),
    });
    const waited = test.clock.now() - test.service.state.startedAt;
    expect(waited).toBeGreaterThanOrEqual(FIVE_MINUTES);
    expect(waited).toBeLessThan(FIVE_MINUTES + 64_000);
  });

  it.each([
    ['by who gave no role', 'AuthorizationFailed', 0],
    ['for another reason', 'RequestDisallowedByPolicy', FIVE_MINUTES],
  ])('fails at once %s', async (_, code, grace) => {
    const { test, members } = refusing(code, 1);
    await expect(members(grace)).rejects.toThrow('azure/refused');
    expect(test.requests('/members')).toBe(1);
  });
});

/** A fleet of two that refuses the first requests, and how to list its members. */
function refusing(code: string, times: number) {
  const test = createTestFleet(2);
  test.service.state.knobs.faults.push({ match: '.*', times, kind: 'status', status: 403, code });
  const bounds = { budget: startBudget(test.clock, 3_600_000), signal: test.abort.signal };
  const members = (grace: number) =>
    apiOver(sendInProcess(test.service, test.clock), test.clock, grace).members(bounds);
  return { test, members };
}
