import { fileURLToPath } from 'node:url';
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { Call } from './provider-calls.js';

const PROTOCOL = fileURLToPath(new URL('tfplugin6.proto', import.meta.url));

/** A provider that listens on a Unix socket. */
export interface RunningProvider {
  readonly socket: string;
  stop(): void;
}

/** Serves the calls of one provider to Terraform at the path `socket`. */
export async function serveProvider(
  socket: string,
  calls: Readonly<Record<string, Call>>,
): Promise<RunningProvider> {
  const server = new Server({ 'grpc.max_receive_message_length': -1 });
  server.addService(providerService(), implementation(calls));
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
  return {
    socket,
    stop: () => {
      server.forceShutdown();
    },
  };
}

function implementation(calls: Readonly<Record<string, Call>>): UntypedServiceImplementation {
  const handlers: UntypedServiceImplementation = {};
  for (const [name, call] of Object.entries(calls)) {
    handlers[name] = (
      request: { readonly request: unknown },
      done: (error: Error | null, answer?: unknown) => void,
    ) => {
      call(request.request).then(
        (answer) => {
          done(null, answer);
        },
        (error: unknown) => {
          done(error instanceof Error ? error : new Error(String(error)));
        },
      );
    };
  }
  return handlers;
}

function providerService(): ServiceDefinition {
  const loaded = loadPackageDefinition(
    loadSync(PROTOCOL, { keepCase: true, enums: String, longs: Number, defaults: false }),
  );
  const tfplugin6 = loaded['tfplugin6'];
  const provider =
    tfplugin6 !== undefined && 'Provider' in tfplugin6 ? tfplugin6.Provider : undefined;
  if (typeof provider !== 'function' || !('service' in provider)) {
    throw new Error('tfplugin6.proto declares no service Provider');
  }
  return provider.service;
}
