import { describe, expect, it } from '@jest/globals';
import { ensure } from '../../../fleet/ensure.js';
import { parseJson, textAt, valueAt } from '../../../fleet/json.js';
import type { HttpAnswer } from '../../../fleet/ports.js';
import { IN_PROCESS_ORIGIN, sendInProcess } from '../../../sim/fleet-service/in-process.js';
import { PRESETS } from '../../../sim/fleet-service/presets.js';
import { clusterId, createTestFleet, FLEET_ID, type TestFleet } from '../../helpers/fleet-world.js';

const VERSION = 'api-version=2026-06-02-preview';

function ask(
  test: TestFleet,
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  return sendInProcess(
    test.service,
    test.clock,
  )({
    method,
    url: `${IN_PROCESS_ORIGIN}${FLEET_ID}${path}${path.includes('?') ? '&' : '?'}${VERSION}`,
    headers: { authorization: 'Bearer dummy', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const state = (answer: HttpAnswer): string | undefined =>
  textAt(parseJson(answer.body), 'properties', 'status', 'state');
const code = (answer: HttpAnswer): string | undefined =>
  textAt(parseJson(answer.body), 'error', 'code');
const selector = { properties: { memberSelector: { byLabel: 'team=net' } } };

async function applied(test: TestFleet): Promise<HttpAnswer> {
  await ask(test, 'PUT', '/clusterMeshProfiles/p', selector);
  return await ask(test, 'POST', '/clusterMeshProfiles/p/apply');
}

describe('the fleet service', () => {
  it('accepts an apply at once, and is connected two minutes later, documents after that', async () => {
    const test = createTestFleet(2);
    const first = await applied(test);
    expect([first.status, state(first), first.headers['location']]).toEqual([
      200,
      'Applying',
      undefined,
    ]);
    await test.clock.sleep(119_000);
    expect(state(await ask(test, 'GET', '/clusterMeshProfiles/p'))).toBe('Applying');
    await test.clock.sleep(2_000);
    expect(state(await ask(test, 'GET', '/clusterMeshProfiles/p'))).toBe('Connected');
    const mesh = valueAt(
      parseJson((await ask(test, 'GET', '/members/mesh-002')).body),
      'properties',
      'meshProperties',
    );
    expect(textAt(mesh, 'ciliumProperties', 'name')).toBe('mesh-0022');
    expect(textAt(mesh, 'status', 'state')).toBe('Connecting');
    await test.clock.sleep(30_000);
    const later = parseJson((await ask(test, 'GET', '/members/mesh-002')).body);
    expect(textAt(later, 'properties', 'meshProperties', 'status', 'state')).toBe('Connected');
  });

  it('fails after 967 s without connectivity, and its members go on being rewritten', async () => {
    const test = createTestFleet(2, { noConnectivity: 'all' });
    await applied(test);
    await test.clock.sleep(966_000);
    expect(state(await ask(test, 'GET', '/clusterMeshProfiles/p'))).toBe('Applying');
    await test.clock.sleep(2_000);
    expect(state(await ask(test, 'GET', '/clusterMeshProfiles/p'))).toBe('Failed');
    const before = parseJson((await ask(test, 'GET', '/members/mesh-001')).body);
    await test.clock.sleep(300_000);
    const after = parseJson((await ask(test, 'GET', '/members/mesh-001')).body);
    expect(textAt(after, 'eTag')).not.toBe(textAt(before, 'eTag'));
    const message = textAt(after, 'properties', 'meshProperties', 'status', 'error', 'message');
    expect(message).toMatch(/^No peers visible to Cilium for 0h20m2s/);
  });

  it('refuses to delete what is attached, and to apply what is being applied', async () => {
    const test = createTestFleet(2);
    await applied(test);
    expect(code(await ask(test, 'POST', '/clusterMeshProfiles/p/apply'))).toBe(
      'ResourceNotFinalState',
    );
    expect(code(await ask(test, 'DELETE', '/clusterMeshProfiles/p'))).toBe('ResourceNotFinalState');
    await test.clock.sleep(200_000);
    const profile = await ask(test, 'DELETE', '/clusterMeshProfiles/p');
    expect(code(profile)).toBe('CannotDeleteClusterMeshProfileWithMembers');
    expect(code(await ask(test, 'DELETE', '/members/mesh-001'))).toBe('MemberBelongsToClusterMesh');
    expect(code(await ask(test, 'DELETE', ''))).toBe('Conflict');
  });

  it('replaces the labels of a PATCH, keeps its own, and leaves the mesh alone', async () => {
    const test = createTestFleet(1);
    const answer = await ask(test, 'PATCH', '/members/mesh-001', {
      properties: { labels: { a: 'b' } },
    });
    const labels = valueAt(parseJson(answer.body), 'properties', 'labels');
    expect(labels).toMatchObject({ a: 'b', 'fleet.azure.com/member-name': 'mesh-001' });
    expect(labels).not.toHaveProperty('team');
  });

  it('answers preconditions as the table says', async () => {
    const test = createTestFleet(1);
    const put = (path: string, headers: Readonly<Record<string, string>>) =>
      ask(test, 'PUT', path, { properties: { clusterResourceId: clusterId('mesh-001') } }, headers);
    expect((await put('/members/mesh-001', { 'if-none-match': '*' })).status).toBe(412);
    expect((await put('/members/mesh-009', { 'if-match': '*' })).status).toBe(412);
    expect((await put('/members/mesh-001', { 'if-match': '*' })).status).toBe(200);
    expect((await put('/members/mesh-001', { 'if-match': '"old"' })).status).toBe(412);
  });

  it('refuses other versions, no version, no token, an altered address, and a selector it cannot read', async () => {
    const test = createTestFleet(1);
    const send = sendInProcess(test.service, test.clock);
    const raw = (query: string, headers: Readonly<Record<string, string>>) =>
      send({ method: 'GET', url: `${IN_PROCESS_ORIGIN}${FLEET_ID}${query}`, headers });
    const token = { authorization: 'Bearer x' };
    expect(code(await raw('?api-version=2026-06-01', token))).toBe('InvalidApiVersionParameter');
    expect(code(await raw('', token))).toBe('MissingApiVersionParameter');
    expect(code(await raw(`?${VERSION}`, {}))).toBe('InvalidAuthenticationToken');
    const body = { properties: { clusterResourceId: clusterId('mesh-002') } };
    const joined = await ask(test, 'PUT', '/members/mesh-002', body);
    const url = joined.headers['azure-asyncoperation'] ?? '';
    expect(url.length).toBeGreaterThan(3_000);
    const altered = url.replace(/&s=./, '&s=_');
    expect((await send({ method: 'GET', url: altered, headers: token })).status).toBe(403);
    const bad = { properties: { memberSelector: { byLabel: 'a in (b)' } } };
    expect((await ask(test, 'PUT', '/clusterMeshProfiles/q', bad)).status).toBe(400);
  });

  it.each(
    Object.keys(PRESETS).filter((name) => !['apply-never-ends', 'no-connectivity'].includes(name)),
  )('lets a mesh come up with the preset %s', async (name) => {
    const test = createTestFleet(4, structuredClone(PRESETS[name]));
    await ensure({ profile: 'p', members: test.members }, test.world);
    expect(test.attached()).toHaveLength(4);
    expect(test.breaches()).toEqual([]);
  });

  it('heals a failed mesh by itself, tells of connections that are none, and mangles ids, when asked to', async () => {
    const heals = createTestFleet(2, { noConnectivity: 'all', failedToConnectedAfterMs: 60_000 });
    await applied(heals);
    await heals.clock.sleep(1_040_000);
    expect(state(await ask(heals, 'GET', '/clusterMeshProfiles/p'))).toBe('Connected');
    const lies = createTestFleet(2, {
      noConnectivity: 'all',
      falseConnected: true,
      caseMangling: true,
    });
    await applied(lies);
    await lies.clock.sleep(200_000);
    const profile = await ask(lies, 'GET', '/clusterMeshProfiles/p');
    expect(state(profile)).toBe('Connected');
    expect(textAt(parseJson(profile.body), 'id')).toContain('/resourcegroups/');
  });
});
