import { open } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CATALOGUE } from '../../../local/engines/catalogue.js';
import { probeVersion } from '../../../local/engines/probe-version.js';
import { createEngineWorld, VERSION_TEXTS, type EngineWorld } from '../../helpers/engine-world.js';

// Several short programs run in some of these; a busy machine needs its time.
jest.setTimeout(60_000);

let world: EngineWorld;
beforeEach(async () => {
  world = await createEngineWorld();
});
afterEach(() => world.remove());

describe('probing a binary', () => {
  it('reads the version from the file where the program tells none', async () => {
    const padding = '#'.repeat(1_100_000);
    const path = await world.program('x', padding, VERSION_TEXTS['clustermesh-apiserver']);
    const probe = await probeVersion(CATALOGUE['clustermesh-apiserver'], path, world.context);
    expect(probe).toEqual({ state: 'version', version: '1.15.19' });
  });

  it('waits until nobody writes the program any more', async () => {
    const path = await world.program('x', `echo '${VERSION_TEXTS.etcd}'`);
    const writer = await open(path, 'r+');
    let pauses = 0;
    const clock = {
      ...world.context.clock,
      sleep: async (duration: number, signal?: AbortSignal) => {
        if (duration === 100 && (pauses += 1) === 3) await writer.close();
        await world.context.clock.sleep(duration, signal);
      },
    };
    const probe = await probeVersion(CATALOGUE.etcd, path, world.with({ clock }));
    expect(probe).toEqual({ state: 'version', version: '3.6.12' });
    expect(pauses).toBe(3);
  });

  it('fails for a program that never answers, and ends it', async () => {
    const path = await world.program('x', 'exec /bin/sleep 600');
    const clock = { ...world.context.clock, sleep: () => Promise.resolve() };
    const probe = await probeVersion(CATALOGUE.etcd, path, world.with({ clock }));
    expect(probe).toEqual({ state: 'not-running', why: 'it gave no answer in 30 s' });
  });
});
