import { json, type ServiceAnswer, type ServiceRequest } from './answers.js';
import type { ServiceState } from './state.js';

/**
 * The login of Entra ID, so that a client can be sent here by `AZURE_AUTHORITY_HOST`: every secret is
 * good. Undefined for any other request.
 */
export function tokenAnswer(
  { timeline, knobs }: ServiceState,
  { method, path }: ServiceRequest,
): ServiceAnswer | undefined {
  if (method !== 'POST' || !/^\/[^/]+\/oauth2\/v2\.0\/token$/.test(path)) return undefined;
  const until = timeline.now() + knobs.tokenLifetimeMs;
  return json(200, {
    token_type: 'Bearer',
    expires_in: Math.floor(knobs.tokenLifetimeMs / 1_000),
    expires_on: String(Math.floor(until / 1_000)),
    access_token: `fleet-service-${until}`,
  });
}
