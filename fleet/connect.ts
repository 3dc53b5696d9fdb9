import { FLEET_API_VERSION } from '../model/fleet-names.js';
import type { Milliseconds } from '../model/quantity.js';
import type { Exchange } from './arm/exchange.js';
import { createExchange } from './arm/exchange.js';
import { badEndpoint } from './arm/errors.js';
import { createArmFleetApi } from './arm-fleet-api.js';
import type { FleetApi } from './fleet-api.js';
import type { Chance, Environment, FleetClock, ReadText, RunProgram, SendHttp } from './ports.js';
import { allTokens } from './tokens/all-tokens.js';

/** What talking to Azure needs of the world. */
export interface AzureWorld {
  readonly env: Environment;
  readonly clock: FleetClock;
  readonly chance: Chance;
  readonly run: RunProgram;
  readonly read: ReadText;
  /** Makes a sender that also trusts this CA. */
  readonly http: (caPem: string | undefined) => SendHttp;
  /** @see ArmWorld */
  readonly rightsGrace?: Milliseconds | undefined;
}

/** Azure, as one process reaches it: one origin, one token, one throttle. */
export interface Azure {
  readonly origin: string;
  readonly exchange: Exchange;
  fleet(fleetId: string): FleetApi;
}

/**
 * Connects to Azure, or to where `MESHSCALE_ARM_ENDPOINT` (with the CA of `MESHSCALE_ARM_CA`) says. No
 * request is made yet. Throws azure/bad-endpoint.
 */
export async function connectAzure(world: AzureWorld): Promise<Azure> {
  const origin = originOf(world.env['MESHSCALE_ARM_ENDPOINT']);
  const caPem = await readCa(world);
  const send = world.http(caPem);
  const tokens = allTokens({ ...world, send });
  const { clock, chance, rightsGrace } = world;
  const arm = { send, origin, tokens, clock, chance, rightsGrace };
  const apiVersion = FLEET_API_VERSION;
  return {
    origin,
    exchange: createExchange(arm),
    fleet: (fleetId) => createArmFleetApi({ fleetId, apiVersion }, arm),
  };
}

function originOf(given: string | undefined): string {
  if (given === undefined || given === '') return 'https://management.azure.com';
  // Tokens are never sent in the open.
  if (/^https:\/\/[^/?#]+\/?$/.test(given)) return given.replace(/\/$/, '');
  throw badEndpoint('MESHSCALE_ARM_ENDPOINT', given, 'an origin such as https://127.0.0.1:8443');
}

async function readCa({ env, read }: AzureWorld): Promise<string | undefined> {
  const file = env['MESHSCALE_ARM_CA'];
  if (file === undefined || file === '') return undefined;
  const text = await read(file).catch(() => undefined);
  if (text?.includes('-----BEGIN CERTIFICATE-----') === true) return text;
  throw badEndpoint('MESHSCALE_ARM_CA', file, 'a file with a certificate in PEM');
}
