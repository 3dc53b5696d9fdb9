import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import type { HttpRequest, ProgramResult } from '../../fleet/ports.js';
import { allTokens } from '../../fleet/tokens/all-tokens.js';
import { createMovingClock } from '../../sim/fleet-service/moving-clock.js';

const never = new AbortController().signal;

/** Tokens over what a machine has: variables, files, an answering identity service, an `az`. */
function tokensOf(machine: {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly answers?: (request: HttpRequest) => string | undefined;
  readonly az?: ProgramResult;
}) {
  const clock = createMovingClock(turn);
  const asked: HttpRequest[] = [];
  const tokens = allTokens({
    env: machine.env ?? {},
    clock,
    send: async (request) => {
      asked.push(request);
      const body = machine.answers?.(request);
      if (body !== undefined) return { status: 200, headers: {}, body };
      await clock.sleep(60_000, request.signal);
      throw new Error('silence');
    },
    read: (file) => {
      const text = machine.files?.[file];
      return text === undefined ? Promise.reject(new Error(file)) : Promise.resolve(text);
    },
    run: () => Promise.resolve(machine.az ?? { state: 'not-found' }),
  });
  return { tokens, asked, clock };
}

const LOGIN = { AZURE_TENANT_ID: 'tenant', AZURE_CLIENT_ID: 'client' };
const answer = (token: string): string =>
  JSON.stringify({ access_token: token, expires_in: 3_600 });

describe('tokens', () => {
  it('come by a secret from the environment first', async () => {
    const env = { ...LOGIN, AZURE_CLIENT_SECRET: 's e&cret' };
    const { tokens, asked } = tokensOf({ env, answers: () => answer('by-secret') });
    expect(await tokens.get(never)).toBe('by-secret');
    expect(asked[0]?.url).toBe('https://login.microsoftonline.com/tenant/oauth2/v2.0/token');
    expect(asked[0]?.body).toContain('client_secret=s+e%26cret');
  });

  it('come by a workload identity, whose file is read anew each time', async () => {
    const env = { ...LOGIN, AZURE_FEDERATED_TOKEN_FILE: '/var/run/token' };
    const files = { '/var/run/token': 'assertion\n' };
    const { tokens, asked } = tokensOf({ env, files, answers: () => answer('by-workload') });
    expect(await tokens.get(never)).toBe('by-workload');
    expect(asked[0]?.body).toContain('client_assertion=assertion');
  });

  it('come by the identity of a service, then by the Azure CLI, then by that of the machine', async () => {
    const env = { IDENTITY_ENDPOINT: 'http://localhost:42/token', IDENTITY_HEADER: 'h' };
    const service = tokensOf({ env, answers: () => answer('by-service') });
    expect(await service.tokens.get(never)).toBe('by-service');
    expect(service.asked[0]?.headers).toEqual({ 'x-identity-header': 'h' });
    const stdout = JSON.stringify({ accessToken: 'by-az', expires_on: 1_900_000_000 });
    const cli = tokensOf({ az: { state: 'ended', exitCode: 0, stdout } });
    expect(await cli.tokens.get(never)).toBe('by-az');
    const machine = tokensOf({
      answers: ({ url }) => (url.includes('169.254') ? answer('by-vm') : '{}'),
    });
    expect(await machine.tokens.get(never)).toBe('by-vm');
  });

  it('are asked for once by callers at once, and again five minutes before they end', async () => {
    const { tokens, asked, clock } = tokensOf({ answers: () => answer('t') });
    await Promise.all([tokens.get(never), tokens.get(never), tokens.get(never)]);
    await clock.sleep(54 * 60_000);
    await tokens.get(never);
    expect(asked).toHaveLength(1);
    await clock.sleep(60_000);
    await tokens.get(never);
    expect(asked).toHaveLength(2);
  });

  it('fails with every way and why it does not work, within a second or so', async () => {
    const { tokens, clock } = tokensOf({ az: { state: 'ended', exitCode: 1, stdout: '' } });
    const before = clock.now();
    await expect(tokens.get(never)).rejects.toMatchObject({
      code: 'azure/no-credential',
      given: [
        'environment: AZURE_CLIENT_SECRET is not set',
        'workload identity: AZURE_FEDERATED_TOKEN_FILE is not set',
        'managed identity of the service: IDENTITY_ENDPOINT is not set',
        'Azure CLI: `az account get-access-token` has failed',
        'managed identity of the machine: nothing answers at http://169.254.169.254/metadata/identity/oauth2/token',
      ].join('\n'),
    });
    expect(clock.now() - before).toBe(1_000);
  });

  it('fails rather than send a secret in the open', async () => {
    const env = { ...LOGIN, AZURE_CLIENT_SECRET: 's', AZURE_AUTHORITY_HOST: 'http://login' };
    const { tokens, asked } = tokensOf({ env });
    await expect(tokens.get(never)).rejects.toMatchObject({
      given: expect.stringContaining('AZURE_AUTHORITY_HOST is not an https address'),
    });
    expect(asked.filter(({ body }) => body?.includes('client_secret'))).toEqual([]);
  });
});
