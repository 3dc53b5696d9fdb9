import { describe, expect, it } from '@jest/globals';
import { numberAt, parseJson } from '../../../fleet/json.js';
import { createNodeHttp } from '../../../fleet/platform/node-http.js';
import type { HttpRequest } from '../../../fleet/ports.js';
import { FLEET_ID } from '../../helpers/fleet-world.js';
import { withFleetServer, type RunningFleet } from '../../helpers/fleet-server.js';

function client(running: RunningFleet, timeoutMs = 60_000) {
  const http = createNodeHttp({ caPem: running.server.caPem, timeoutMs });
  const ask = (method: HttpRequest['method'], path: string, body?: object) =>
    http.send({
      method,
      url: `${running.server.origin}${path}`,
      headers: { authorization: 'Bearer dummy' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  return { ...http, ask };
}

const fleet = `${FLEET_ID}?api-version=2026-06-02-preview`;

describe('the fleet service behind TLS', () => {
  it('is trusted by its own CA alone', async () => {
    await withFleetServer(1, {}, async (running) => {
      const ours = client(running);
      expect((await ours.ask('GET', fleet)).status).toBe(200);
      const strangers = createNodeHttp({ timeoutMs: 5_000 });
      const request = {
        method: 'GET',
        url: `${running.server.origin}${fleet}`,
        headers: {},
      } as const;
      await expect(strangers.send(request)).rejects.toThrow(/certificate/);
      ours.close();
      strangers.close();
    });
  });

  it('resets, cuts off and keeps silent when told to', async () => {
    const faults = (['reset', 'truncate', 'hang'] as const).map((kind) => {
      return { match: '^GET', times: 1, kind, afterEffect: true };
    });
    await withFleetServer(1, { faults }, async (running) => {
      const { ask, close } = client(running);
      const hasty = client(running, 300);
      await expect(ask('GET', fleet)).rejects.toThrow(/ECONNRESET|hang up/);
      await expect(ask('GET', fleet)).rejects.toThrow(/aborted|ECONNRESET/);
      await expect(hasty.ask('GET', fleet)).rejects.toThrow(/aborted|timeout/i);
      hasty.close();
      expect((await ask('GET', fleet)).status).toBe(200);
      close();
    });
  });

  it('lets time pass for those that wait, in their order, and takes knobs from outside', async () => {
    await withFleetServer(1, {}, async (running) => {
      const { ask, close } = client(running);
      const now = async (ms: number): Promise<number> => {
        const { body } = await ask('POST', '/_control/sleep', { ms });
        return numberAt(parseJson(body), 'now') ?? 0;
      };
      const start = await now(0);
      const [late, early] = await Promise.all([now(960_000), now(5_000)]);
      expect(late).toBeGreaterThanOrEqual(start + 960_000);
      expect(early).toBeGreaterThanOrEqual(start + 5_000);
      expect((await ask('PATCH', '/_control/knobs', { joinMs: 1, nonsense: 2 })).status).toBe(400);
      expect((await ask('PATCH', '/_control/knobs', { joinMs: 1 })).status).toBe(200);
      expect(running.service.state.knobs.joinMs).toBe(1);
      expect((await ask('POST', '/_control/preset', { name: 'lagging-lists' })).status).toBe(200);
      expect(JSON.parse((await ask('GET', '/_control/breaches')).body)).toEqual([]);
      close();
    });
  });
});
