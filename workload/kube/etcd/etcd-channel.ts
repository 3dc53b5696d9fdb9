import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import {
  Client,
  credentials,
  Metadata,
  type ChannelCredentials,
  type ClientDuplexStream,
  type ServiceError,
} from '@grpc/grpc-js';
import type { Milliseconds } from '../../../model/quantity.js';
import type { Clock } from '../../platform/clock.js';
import { etcdFailure } from './errors.js';
import type { EtcdAccess } from './etcd-client.js';
import { loadEtcdMethods, type EtcdMethod, type EtcdMethods } from './etcd-rpc.js';

/** A connection to one etcd, on which typed calls are made. */
export interface EtcdChannel {
  /** One question and its answer; rejects with a UserError. */
  call<Answer>(name: keyof EtcdMethods, request: object, timeout?: Milliseconds): Promise<Answer>;
  openWatch(): ClientDuplexStream<object, object>;
  close(): void;
}

/** Ours: an etcd that needs longer for one of our small calls is not healthy. */
const CALL_TIMEOUT: Milliseconds = 15_000;

/** Connects when first used, and again by itself after a loss. */
export function createEtcdChannel(access: EtcdAccess, clock: Clock): EtcdChannel {
  const methods = loadEtcdMethods();
  const { host, hostname } = new URL(access.endpoint);
  const options = isIP(hostname) === 0 ? CHANNEL_OPTIONS : { ...CHANNEL_OPTIONS, ...NAMELESS };
  const client = new Client(host, credentialsOf(access), options);
  return {
    call: <Answer>(name: keyof EtcdMethods, request: object, timeout = CALL_TIMEOUT) => {
      const deadline = clock.now() + timeout;
      return unary(client, methods[name], request, deadline).then(
        (answer) => answer as Answer,
        (error: unknown) => {
          throw etcdFailure(access.endpoint, name, error as ServiceError);
        },
      );
    },
    openWatch: () => {
      const { path, requestSerialize, responseDeserialize } = methods.watch;
      return client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
    },
    close: () => {
      client.close();
    },
  };
}

const CHANNEL_OPTIONS = {
  // gRPC's 4 MiB is less than a page of large services; etcd itself sends up to 2 GiB.
  'grpc.max_receive_message_length': 256 * 1024 * 1024,
  'grpc.max_send_message_length': 16 * 1024 * 1024,
  // Finds a peer that is gone without a word. etcd refuses pings more often than every 5 s.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  // A restarted etcd must be seen at once, not after gRPC's backoff of up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // These are addresses of our own; a proxy for the way out must not be asked for them.
  'grpc.enable_http_proxy': 0,
  // Otherwise clients of the same endpoint share one connection, and close() of one is not an end.
  'grpc.use_local_subchannel_pool': 1,
};

/**
 * TLS asks for a server by name, never by address (RFC 6066 §3), and Node warns at an address. The
 * certificate is still checked for the address that was dialled, see below.
 */
const NAMELESS = { 'grpc.ssl_target_name_override': 'localhost' };

function credentialsOf({ endpoint, caPem, certPem, keyPem }: EtcdAccess): ChannelCredentials {
  if (!endpoint.startsWith('https:')) return credentials.createInsecure();
  const { hostname } = new URL(endpoint);
  return credentials.createSsl(bytesOf(caPem), bytesOf(keyPem), bytesOf(certPem), {
    checkServerIdentity: (_name, certificate) => checkServerIdentity(hostname, certificate),
  });
}

function bytesOf(pem: string | undefined): Buffer | null {
  return pem === undefined ? null : Buffer.from(pem);
}

function unary(
  client: Client,
  method: EtcdMethod,
  request: object,
  deadline: number,
): Promise<object> {
  const { path, requestSerialize, responseDeserialize } = method;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      new Metadata(),
      { deadline },
      (error, answer) => {
        if (error !== null) reject(error);
        else resolve(answer ?? {});
      },
    );
  });
}
