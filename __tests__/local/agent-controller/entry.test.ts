import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { agentControllerMain } from '../../../local/agent-controller/entry.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

let folder: string;
let stop: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'));
  stop = new AbortController();
  // Nothing listens on port 1: an API server that is down.
  await writeFile(
    join(folder, 'kubeconfig'),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [{ name: 'mesh-001', context: { cluster: 'c', user: 'u' } }],
    }),
  );
});

afterEach(async () => {
  stop.abort();
  await rm(folder, { recursive: true, force: true });
});

function main(options: { port?: number; onListening?: (port: number) => void }): Promise<void> {
  return agentControllerMain({
    kubeconfig: join(folder, 'kubeconfig'),
    clusterName: 'mesh-001',
    clusterId: 1,
    clock: createVirtualClock(),
    signal: stop.signal,
    log: () => undefined,
    ...options,
  });
}

describe('the agent controller’s process', () => {
  it('lives and says what it waits for while the API server is down, and ends with the signal', async () => {
    let ended: Promise<void> | undefined;
    const port = await new Promise<number>((onListening) => {
      ended = main({ onListening });
    });
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect((await get('/livez')).status).toBe(200);
    const ready = await get('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('https://127.0.0.1:1');
    const metrics = await (await get('/metrics')).text();
    expect(metrics).toContain('meshscale_agent_objects{kind="CiliumEndpoint"} 0');
    expect((await get('/other')).status).toBe(404);
    stop.abort();
    await ended;
    await expect(get('/livez')).rejects.toThrow();
  });

  it('fails when its port is taken, naming cluster and port', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const address = squatter.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(main({ port })).rejects.toMatchObject({
      code: 'mesh/agent-port-taken',
      problem: expect.stringMatching(`mesh-001.*${port}`) as unknown,
    });
    await new Promise((resolve) => squatter.close(resolve));
  });

  it('fails when the kubeconfig has no context of that name', async () => {
    await writeFile(join(folder, 'kubeconfig'), 'apiVersion: v1\nkind: Config\n');
    await expect(main({})).rejects.toMatchObject({ name: 'UserError' });
  });
});
