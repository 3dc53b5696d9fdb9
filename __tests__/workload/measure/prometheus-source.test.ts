import { afterEach, describe, expect, it } from '@jest/globals';
import { directHttp, prometheusSource } from '../../../workload/measure/prometheus-source.js';
import { startLoopbackServer, type LoopbackServer } from '../../helpers/loopback-server.js';

let server: LoopbackServer | undefined;
let asked: URL[] = [];

afterEach(async () => {
  await server?.close();
  server = undefined;
  asked = [];
});

async function answering(body: string, status = 200) {
  const started = await startLoopbackServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://x'));
    response.writeHead(status).end(body);
  });
  server = started;
  return prometheusSource(directHttp(started.url));
}

describe('asking Prometheus', () => {
  it('sends the time in seconds and reads a matrix in milliseconds, with NaN and infinity', async () => {
    const source = await answering(
      JSON.stringify({
        status: 'success',
        data: {
          resultType: 'matrix',
          result: [
            {
              metric: { a: 'b' },
              values: [
                [1.5, '2'],
                [2, 'NaN'],
                [3, '+Inf'],
              ],
            },
          ],
        },
      }),
    );
    const answer = await source.instant('up[5m]', 1_700_000_000_123);
    expect(asked[0]?.pathname).toBe('/api/v1/query');
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
      query: 'up[5m]',
      time: '1700000000.123',
    });
    expect(answer).toEqual({
      ok: true,
      series: [
        {
          labels: { a: 'b' },
          samples: [
            { at: 1_500, value: 2 },
            { at: 2_000, value: NaN },
            { at: 3_000, value: Infinity },
          ],
        },
      ],
    });
  });

  it('reads a scalar as one series, and asks ranges with their step', async () => {
    const source = await answering(
      '{"status":"success","data":{"resultType":"scalar","result":[1,"7"]}}',
    );
    const answer = await source.range('7', { start: 0, end: 60_000, step: 5_000 });
    expect(answer).toEqual({
      ok: true,
      series: [{ labels: {}, samples: [{ at: 1_000, value: 7 }] }],
    });
    expect(asked[0]?.search).toContain('start=0.000&end=60.000&step=5.000');
  });

  it.each([
    ['a refusal', '{"status":"error","errorType":"bad_data","error":"parse error"}', 'parse error'],
    ['a page that is not its own', '<html>502 Bad Gateway</html>', '502 Bad Gateway'],
    ['JSON of another kind', '{"status":"success","data":{}}', 'in a form of its own'],
    ['silence', '', 'answered nothing'],
  ])('gives %s as a reason', async (_, body, reason) => {
    const answer = await (await answering(body, 502)).instant('up', 0);
    expect(answer.ok ? '' : answer.reason).toContain(reason);
  });

  it('gives a server that is gone as a reason', async () => {
    const source = await answering('');
    await server?.close();
    const answer = await source.instant('up', 0);
    expect(answer.ok ? '' : answer.reason).toContain('Prometheus did not answer');
  });

  it('gives a server that never answers as a reason when the deadline is over', async () => {
    server = await startLoopbackServer(() => undefined);
    const answer = await prometheusSource(directHttp(server.url, 1)).instant('up', 0);
    expect(answer.ok ? '' : answer.reason).toContain('Prometheus did not answer');
  });

  it('rejects with the reason of whoever stops it', async () => {
    const started = await startLoopbackServer(() => undefined);
    server = started;
    const stop = new AbortController();
    const asking = prometheusSource(directHttp(started.url)).instant('up', 0, stop.signal);
    stop.abort(new Error('Ctrl-C'));
    await expect(asking).rejects.toThrow('Ctrl-C');
  });
});
