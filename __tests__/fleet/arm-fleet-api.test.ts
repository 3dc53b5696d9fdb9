import { describe, expect, it } from '@jest/globals';
import { startBudget } from '../../fleet/budget.js';
import type { CallBounds } from '../../fleet/fleet-api.js';
import type { HttpAnswer, SendHttp } from '../../fleet/ports.js';
import { IN_PROCESS_ORIGIN, sendInProcess } from '../../sim/fleet-service/in-process.js';
import type { Fault, Knobs } from '../../sim/fleet-service/knobs.js';
import {
  apiOver,
  apiWithLogin,
  clusterId,
  createTestFleet,
  type TestFleet,
} from '../helpers/fleet-world.js';

function boundsOf(test: TestFleet, ms = 1_800_000): CallBounds {
  return { budget: startBudget(test.clock, ms), signal: test.abort.signal };
}

/** A fleet with one profile, and knobs from then on. */
async function withProfile(size: number, knobs: Partial<Knobs> = {}): Promise<TestFleet> {
  const test = createTestFleet(size);
  await test.world.api.putProfile('cmp1', 'team=net', boundsOf(test));
  Object.assign(test.service.state.knobs, knobs);
  test.service.state.journal.length = 0;
  return test;
}

/** Answers as written down, one after the other; the last one again and again. */
function scripted(answers: readonly Partial<HttpAnswer>[]): { send: SendHttp; urls: string[] } {
  const urls: string[] = [];
  const send: SendHttp = ({ url }) => {
    urls.push(url);
    const answer = answers[Math.min(urls.length, answers.length) - 1];
    return Promise.resolve({ status: 200, headers: {}, body: '{}', ...answer });
  };
  return { send, urls };
}

describe('the adapter to ARM', () => {
  it('follows an operation by its signed address, byte for byte, until the member has joined', async () => {
    const test = createTestFleet(0);
    const request = { clusterId: clusterId('mesh-001'), labels: { mesh: 'x' } };
    const written = await test.world.api.putMember('mesh-001', request, boundsOf(test));
    expect(written).toMatchObject({ state: 'done', value: { provisioningState: 'Succeeded' } });
    expect(test.requests('/operations/')).toBe(3);
    expect(test.breaches()).toEqual([]);
  });

  it('gives the error of an operation that failed', async () => {
    const test = createTestFleet(0, { failJoins: ['mesh-001'] });
    const request = { clusterId: clusterId('mesh-001'), labels: {} };
    const written = await test.world.api.putMember('mesh-001', request, boundsOf(test));
    expect(written).toMatchObject({
      state: 'refused',
      kind: 'failed',
      error: { code: 'ManagedClusterNotInExpectedState' },
    });
  });

  it.each<[string, Partial<Fault>]>([
    ['a dropped connection', { kind: 'reset' }],
    ['an answer that is cut off', { kind: 'truncate' }],
    ['silence', { kind: 'hang' }],
    ['a server error', { kind: 'status', status: 500 }],
    ['a gateway timeout', { kind: 'status', status: 504, code: 'GatewayTimeout' }],
  ])(
    'asks whether an apply was accepted after %s, and does not repeat it',
    async (_name, fault) => {
      const faults = [
        { match: '/apply', times: 1, kind: 'reset', afterEffect: true, ...fault },
      ] as Fault[];
      const test = await withProfile(2, { faults });
      const written = await test.world.api.apply('cmp1', boundsOf(test));
      expect(written).toMatchObject({ state: 'done', value: { state: 'Applying' } });
      expect(test.requests('/apply$')).toBe(1);
    },
  );

  it('sends nothing before Retry-After has ended, whichever way it is written', async () => {
    const now = 'Mon, 13 Jul 2026 08:00:00 GMT';
    const later = 'Mon, 13 Jul 2026 08:00:40 GMT';
    for (const headers of [{ 'retry-after': '40' }, { 'retry-after': later, date: now }]) {
      const test = createTestFleet(0);
      const { send } = scripted([{ status: 429, headers }, {}]);
      await apiOver(send, test.clock).fleetExists(boundsOf(test));
      expect(test.clock.now() - test.service.state.startedAt).toBe(40_000);
    }
  });

  it('gets through a storm of throttling without a request too early', async () => {
    const throttle = { size: 3, refillPerSecond: 0.4, retryAfterSeconds: 11 };
    const test = await withProfile(12, { throttle, pageSize: 5 });
    expect(await test.world.api.members(boundsOf(test))).toHaveLength(12);
    expect(test.service.state.journal.some(({ status }) => status === 429)).toBe(true);
    expect(test.breaches()).toEqual([]);
  });

  it('renews a token that ends while it waits, and once when it is refused', async () => {
    const test = await withProfile(2, { tokenLifetimeMs: 6 * 60_000 });
    const api = await apiWithLogin(test.service, test.clock);
    for (let minutes = 0; minutes < 60; minutes += 5) {
      expect(await api.profile('cmp1', boundsOf(test))).toBeDefined();
      await test.clock.sleep(300_000);
    }
    expect(test.requests('/oauth2/')).toBe(12);
    expect(test.service.state.journal.filter(({ status }) => status === 401)).toEqual([]);
  });

  it('fails for good when a new token is refused as well', async () => {
    const test = createTestFleet(1);
    const code = 'InvalidAuthenticationToken';
    test.service.state.knobs.faults.push({
      match: 'fleets',
      times: 9,
      kind: 'status',
      status: 401,
      code,
    });
    await expect(test.world.api.fleetExists(boundsOf(test))).rejects.toThrow('azure/refused');
    expect(test.requests('/fleets/')).toBe(2);
  });

  it('takes a read that is refused for now as no answer, never as an empty list', async () => {
    const test = await withProfile(3);
    const fault = { kind: 'status', status: 409, code: 'AnotherOperationInProgress' } as const;
    test.service.state.knobs.faults.push({ match: '^GET', times: 3, ...fault });
    expect(await test.world.api.members(boundsOf(test))).toHaveLength(3);
  });

  it('fails with the last fault when its time is over', async () => {
    const test = createTestFleet(1);
    test.service.state.knobs.faults.push({ match: '.*', times: 1e6, kind: 'status', status: 503 });
    const promise = test.world.api.fleetExists(boundsOf(test, 300_000));
    await expect(promise).rejects.toMatchObject({
      code: 'azure/no-answer',
      given: 'InternalServerError: A fault that was asked for.',
    });
    expect(test.clock.now() - test.service.state.startedAt).toBe(300_000);
  });

  it('fails for a missing role, and says which one is needed', async () => {
    const test = createTestFleet(1);
    const fault = { kind: 'status', status: 403, code: 'AuthorizationFailed' } as const;
    test.service.state.knobs.faults.push({ match: '.*', times: 1, ...fault });
    await expect(test.world.api.members(boundsOf(test))).rejects.toMatchObject({
      code: 'azure/refused',
      next: expect.stringContaining('Azure Kubernetes Fleet Manager Contributor'),
    });
  });

  it('fails rather than send its token to an address outside of Azure', async () => {
    const test = createTestFleet(0);
    const headers = { location: 'https://management.azure.com.example.org/op' };
    const { send, urls } = scripted([{ status: 202, headers }]);
    const promise = apiOver(send, test.clock).deleteMember('mesh-001', boundsOf(test));
    await expect(promise).rejects.toThrow('azure/foreign-address');
    expect(urls).toHaveLength(1);
  });

  it('finds the decisive code inside details, and takes unknown fields and states as they come', async () => {
    const test = createTestFleet(0);
    const details = [{ code: 'ResourceNotFinalState', message: 'inner' }];
    const body = JSON.stringify({ error: { code: 'Outer', message: 'outer', details } });
    const refused = apiOver(scripted([{ status: 400, body }]).send, test.clock);
    expect(await refused.apply('cmp1', boundsOf(test))).toMatchObject({ kind: 'not-final' });
    const odd = JSON.stringify({ properties: { new: 1, status: { state: 'Polishing' } } });
    const unknown = apiOver(scripted([{ body: odd }]).send, test.clock);
    expect(await unknown.profile('cmp1', boundsOf(test))).toMatchObject({ state: 'Applying' });
  });

  it('writes labels only when nobody else has written meanwhile', async () => {
    const test = await withProfile(1);
    const member = await test.world.api.member('mesh-001', boundsOf(test));
    const send = sendInProcess(test.service, test.clock);
    await apiOver(send, test.clock).patchLabels('mesh-001', { other: '1' }, boundsOf(test));
    const { api } = test.world;
    const written = await api.patchLabels('mesh-001', { a: 'b' }, boundsOf(test), member?.eTag);
    expect(written).toMatchObject({ state: 'refused', kind: 'changed-meanwhile' });
    expect(test.fleet.members.get('mesh-001')?.labels).toEqual({ other: '1' });
  });

  it('asks for filters as the service reads them', async () => {
    const test = createTestFleet(0);
    const { send, urls } = scripted([{ body: '{"value":[]}' }]);
    await apiOver(send, test.clock).applied('cmp1', boundsOf(test));
    await apiOver(send, test.clock).selected('cmp1', boundsOf(test));
    const query = urls.map((url) => url.replace(`${IN_PROCESS_ORIGIN}${test.fleet.id}`, ''));
    expect(query).toEqual([
      '/members?api-version=2026-06-02-preview&$filter=clusterMeshProfile%20eq%20cmp1',
      '/members?api-version=2026-06-02-preview&$filter=clusterMeshProfile.Selector%20eq%20cmp1',
    ]);
  });
});
