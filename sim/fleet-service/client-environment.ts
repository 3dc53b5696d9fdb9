/** A service that listens. */
export interface ServiceAddress {
  readonly origin: string;
  /** File with the certificate of its authority. */
  readonly caFile: string;
}

/** The variables that send a client of Azure to a service on loopback; any `secret` is accepted. */
export function clientEnvironment({ origin, caFile }: ServiceAddress, secret: string) {
  return {
    MESHSCALE_ARM_ENDPOINT: origin,
    MESHSCALE_ARM_CA: caFile,
    MESHSCALE_FLEET_CLOCK: 'service',
    AZURE_AUTHORITY_HOST: origin,
    AZURE_TENANT_ID: 'tenant',
    AZURE_CLIENT_ID: 'client',
    AZURE_CLIENT_SECRET: secret,
  } as const;
}
