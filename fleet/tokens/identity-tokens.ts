import type { Milliseconds } from '../../model/quantity.js';
import type { Environment, FleetClock, HttpRequest, SendHttp } from '../ports.js';
import { ARM_RESOURCE, askForToken } from './token-answer.js';
import type { TokenSource } from './tokens.js';

/** What a managed identity needs. */
export interface IdentityWorld {
  readonly env: Environment;
  readonly send: SendHttp;
  readonly clock: FleetClock;
}

/** The managed identity of an app service, a container app or a pipeline's agent: told by variables. */
export function appIdentityTokens({ env, send, clock }: IdentityWorld): TokenSource {
  return {
    name: 'managed identity of the service',
    get: async (signal) => {
      const endpoint = env['IDENTITY_ENDPOINT'];
      const header = env['IDENTITY_HEADER'];
      if (endpoint === undefined || header === undefined) {
        return { reason: 'IDENTITY_ENDPOINT is not set' };
      }
      const url = `${endpoint}?api-version=2019-08-01&${query(env)}`;
      const request: HttpRequest = { method: 'GET', url, headers: { 'x-identity-header': header } };
      return await askForToken(send, { ...request, signal }, () => clock.now());
    },
  };
}

/** The managed identity of a virtual machine. The address exists in Azure alone, so it is given a second. */
export function machineIdentityTokens({ env, send, clock }: IdentityWorld): TokenSource {
  return {
    name: 'managed identity of the machine',
    get: async (signal) => {
      const url = `${MACHINE_ENDPOINT}?api-version=2018-02-01&${query(env)}`;
      const request: HttpRequest = { method: 'GET', url, headers: { metadata: 'true' } };
      const ours = new AbortController();
      const limited = AbortSignal.any([signal, ours.signal]);
      const answer = askForToken(send, { ...request, signal: limited }, () => clock.now());
      const silence = clock.sleep(ANSWERS_WITHIN, limited).then(
        () => ({ reason: `nothing answers at ${MACHINE_ENDPOINT}` }),
        () => ({ reason: 'interrupted' }),
      );
      const first = await Promise.race([answer, silence]);
      ours.abort();
      return first;
    },
  };
}

const MACHINE_ENDPOINT = 'http://169.254.169.254/metadata/identity/oauth2/token';
/** On a machine of Azure it answers within milliseconds; chosen. */
const ANSWERS_WITHIN: Milliseconds = 1_000;

function query(env: Environment): string {
  const client = env['AZURE_CLIENT_ID'];
  const parts = new URLSearchParams({ resource: `${ARM_RESOURCE}/` });
  if (client !== undefined && client !== '') parts.set('client_id', client);
  return parts.toString();
}
