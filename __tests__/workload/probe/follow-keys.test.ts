import { describe, expect, it } from '@jest/globals';
import type { EtcdWatchEnd } from '../../../workload/kube/etcd/etcd-client.js';
import { followKeys } from '../../../workload/probe/follow-keys.js';
import { addressReader } from '../../../workload/probe/mesh-keys.js';
import { createPlace } from '../../../workload/probe/place.js';
import { createVirtualClock, settled } from '../../helpers/virtual-clock.js';
import { createMemoryEtcd } from './memory-etcd.js';

const KEY = 'cilium/cache/ip/v1/c-1/10.1.0.9';
const LOST: EtcdWatchEnd = { reason: 'lost', cause: new Error('connection reset') };

describe('following keys', () => {
  it('tells the moment at which a key was told, and marks nothing', async () => {
    const { clock, etcd, place, stop } = await follow();
    const track = place.track('c-1/ns/probe-1');
    await clock.advance(5);
    etcd.put(KEY, pod('probe-1'));
    expect(track.seen()).toEqual({ atNs: 5_000_000n, by: 'watch', detail: '10.1.0.9' });
    expect(track.watchLost()).toBe(false);
    await clock.advance(2);
    etcd.remove(KEY);
    expect(track.gone()).toMatchObject({ atNs: 7_000_000n, by: 'watch' });
    await stop();
  });

  it('finds by reading what happened while the watch was lost, and marks it', async () => {
    const { clock, etcd, place, stop } = await follow();
    const track = place.track('c-1/ns/probe-1');
    etcd.cut(LOST);
    await settled();
    expect(place.blindness()).toBe('connection reset');
    etcd.put(KEY, pod('probe-1'));
    expect(track.seen()).toBeUndefined();
    await clock.advance(100);
    expect(track.seen()).toMatchObject({ atNs: 100_000_000n, by: 'read' });
    expect(track.watchLost()).toBe(true);
    expect(place.counts()).toEqual({ losses: 1, compactions: 0 });
    etcd.remove(KEY);
    expect(track.gone()).toMatchObject({ by: 'watch' });
    await stop();
  });

  it('finds by reading that a key went while the watch was lost', async () => {
    const { clock, etcd, place, stop } = await follow();
    const track = place.track('c-1/ns/probe-1');
    etcd.put(KEY, pod('probe-1'));
    etcd.cut(LOST);
    etcd.remove(KEY);
    await clock.advance(100);
    expect(track.gone()).toMatchObject({ by: 'read' });
    await stop();
  });

  it('reads again at once after a compaction, and counts it', async () => {
    const { etcd, place, stop } = await follow();
    const track = place.track('c-1/ns/probe-1');
    etcd.put(KEY, pod('probe-1'));
    etcd.cut({ reason: 'compacted', compactRevision: '7' });
    await settled();
    expect(place.counts()).toEqual({ losses: 1, compactions: 1 });
    expect(place.blindness()).toBeUndefined();
    expect(track.gone()).toBeUndefined();
    await stop();
  });

  it('goes on trying while the etcd cannot be read, and says why it is blind', async () => {
    const { clock, etcd, place, stop } = await follow();
    etcd.fail(new Error('no leader'));
    etcd.cut(LOST);
    await clock.advance(1_000);
    expect(place.blindness()).toBe('no leader');
    etcd.fail(undefined);
    await clock.advance(100);
    expect(place.blindness()).toBeUndefined();
    await stop();
  });

  it('does not take an address that was given out again for that of the pod before', async () => {
    const { etcd, place, stop } = await follow();
    const [first, second] = [place.track('c-1/ns/probe-1'), place.track('c-1/ns/probe-2')];
    etcd.put(KEY, pod('probe-1'));
    expect(second.seen()).toBeUndefined();
    etcd.put(KEY, pod('probe-2'));
    expect(first.gone()).toBeDefined();
    expect(second.seen()).toBeDefined();
    await stop();
  });

  it('keeps a pod with two addresses until the second one is gone', async () => {
    const { etcd, place, stop } = await follow();
    const track = place.track('c-1/ns/probe-1');
    etcd.put(KEY, pod('probe-1'));
    etcd.put('cilium/cache/ip/v1/c-1/fd00::9', pod('probe-1'));
    etcd.remove(KEY);
    expect(track.gone()).toBeUndefined();
    etcd.remove('cilium/cache/ip/v1/c-1/fd00::9');
    expect(track.gone()).toBeDefined();
    await stop();
  });
});

async function follow() {
  const clock = createVirtualClock();
  const etcd = createMemoryEtcd();
  const place = createPlace('the cache of mesh-002');
  const ending = new AbortController();
  const following = followKeys({
    ...{ etcd: etcd.client, prefix: 'cilium/cache/ip/v1/', place, clock },
    ...{ read: addressReader('probe-'), signal: ending.signal },
  });
  await place.confirmed;
  const stop = async (): Promise<void> => {
    ending.abort();
    await following;
    expect(etcd.watchers()).toBe(0);
  };
  return { clock, etcd, place, stop };
}

function pod(name: string) {
  return { IP: '10.1.0.9', K8sNamespace: 'ns', K8sPodName: name };
}
