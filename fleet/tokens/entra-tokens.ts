import type { Environment, FleetClock, HttpRequest, ReadText, SendHttp } from '../ports.js';
import { ARM_RESOURCE, askForToken } from './token-answer.js';
import type { TokenSource } from './tokens.js';

/** What logging in to Entra ID needs. */
export interface EntraWorld {
  readonly env: Environment;
  readonly send: SendHttp;
  readonly read: ReadText;
  readonly clock: FleetClock;
}

/** A service principal by its secret, from the environment. */
export function secretTokens({ env, send, clock }: EntraWorld): TokenSource {
  return {
    name: 'environment',
    get: async (signal) => {
      const secret = env['AZURE_CLIENT_SECRET'];
      if (!isSet(secret)) return { reason: 'AZURE_CLIENT_SECRET is not set' };
      const request = loginRequest(env, { client_secret: secret });
      if (typeof request === 'string') return { reason: request };
      return await askForToken(send, { ...request, signal }, () => clock.now());
    },
  };
}

/** A workload identity: the token of a Kubernetes service account or of a pipeline, from a file. */
export function workloadTokens({ env, send, read, clock }: EntraWorld): TokenSource {
  return {
    name: 'workload identity',
    get: async (signal) => {
      const file = env['AZURE_FEDERATED_TOKEN_FILE'];
      if (!isSet(file)) return { reason: 'AZURE_FEDERATED_TOKEN_FILE is not set' };
      const assertion = await read(file).then(
        (text) => text.trim(),
        () => undefined,
      );
      if (assertion === undefined) return { reason: `${file} cannot be read` };
      const request = loginRequest(env, {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      });
      if (typeof request === 'string') return { reason: request };
      return await askForToken(send, { ...request, signal }, () => clock.now());
    },
  };
}

/** The login request, or what is missing for one. */
function loginRequest(
  env: Environment,
  proof: Readonly<Record<string, string>>,
): HttpRequest | string {
  const tenant = env['AZURE_TENANT_ID'];
  const client = env['AZURE_CLIENT_ID'];
  if (!isSet(tenant) || !isSet(client)) return 'AZURE_TENANT_ID or AZURE_CLIENT_ID is not set';
  const given = env['AZURE_AUTHORITY_HOST'];
  const host = (isSet(given) ? given : 'https://login.microsoftonline.com').replace(/\/+$/, '');
  // A secret is never sent in the open.
  if (!host.startsWith('https://')) return 'AZURE_AUTHORITY_HOST is not an https address';
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client,
    scope: `${ARM_RESOURCE}/.default`,
    ...proof,
  });
  return {
    method: 'POST',
    url: `${host}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
  };
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
