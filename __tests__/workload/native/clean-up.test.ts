import { describe, expect, it } from '@jest/globals';
import type { KubeClient } from '../../../workload/kube/kube-client.js';
import { cleanUp } from '../../../workload/native/clean-up.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

describe('cleaning a cluster whose API server is frozen', () => {
  it('gives up long before the time that removing may take, and says what is not known', async () => {
    const clock = createVirtualClock();
    const client: KubeClient = {
      access: { server: 'https://api', credential: { kind: 'none' } },
      ...{ request: never, patch: never, list: never, watch: never },
      close: () => Promise.resolve(),
    };
    const signal = new AbortController().signal;
    const cleaning = cleanUp({ client, clock, signal, budget: 300_000 });
    await clock.advance(60_000);
    expect(await cleaning).toEqual({
      ...{ state: 'left', removed: 0, left: ['what is left cannot be read: no answer'] },
    });
  });
});
