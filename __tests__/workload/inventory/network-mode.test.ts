import { describe, expect, it } from '@jest/globals';
import { createExchange } from '../../../fleet/arm/exchange.js';
import { startBudget } from '../../../fleet/budget.js';
import { networkMode } from '../../../workload/inventory/network-mode.js';
import { seededChance } from '../../helpers/fleet-world.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

const ORIGIN = 'https://127.0.0.1:1';
const vnet = (name: string) =>
  `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/${name}`;
const subnet = (name: string) => `${vnet(name)}/subnets/nodes`;

describe('the network mode of clusters that were discovered', () => {
  it('is the shared VNet when all lie in one, however it is spelt', async () => {
    const { mode, urls } = looking([]);
    expect(await mode(subnet('mesh'), subnet('MESH').toUpperCase())).toBe('shared-vnet');
    expect(urls).toEqual([]);
  });

  it('is peering when the first VNet is connected with all others', async () => {
    const { mode, urls } = looking([peering('b'), peering('C')]);
    expect(await mode(subnet('a'), subnet('B'), subnet('c'))).toBe('peering');
    expect(urls).toEqual([`${ORIGIN}${vnet('a')}/virtualNetworkPeerings?api-version=2024-05-01`]);
  });

  it.each([
    ['a peering is missing', [peering('b')]],
    ['a peering is not connected', [peering('b'), peering('c', 'Initiated')]],
    ['there are none, as with a Virtual Network Manager', []],
  ])('is not known when %s', async (_, peerings) => {
    expect(await looking(peerings).mode(subnet('a'), subnet('b'), subnet('c'))).toBe('unknown');
  });

  it('is not known when the peerings may not be read, or there is one cluster, or no subnet', async () => {
    const { mode } = looking([], 403);
    expect(await mode(subnet('a'), subnet('b'))).toBe('unknown');
    expect(await mode(subnet('a'))).toBe('unknown');
    expect(await mode(subnet('a'), undefined)).toBe('unknown');
  });
});

function peering(name: string, peeringState = 'Connected'): object {
  return { properties: { peeringState, remoteVirtualNetwork: { id: vnet(name) } } };
}

/** Azure with these peerings on every VNet. */
function looking(value: readonly object[], status = 200) {
  const urls: string[] = [];
  const clock = createVirtualClock();
  const exchange = createExchange({
    origin: ORIGIN,
    clock,
    chance: seededChance(1),
    tokens: { get: () => Promise.resolve('token'), forget: () => undefined },
    send: ({ url }) => {
      urls.push(url);
      return Promise.resolve({ status, headers: {}, body: JSON.stringify({ value }) });
    },
  });
  const bounds = { budget: startBudget(clock, 60_000), signal: new AbortController().signal };
  const mode = (...subnets: readonly (string | undefined)[]) =>
    networkMode({ origin: ORIGIN, exchange }, subnets, bounds);
  return { mode, urls };
}
