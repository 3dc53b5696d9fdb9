import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts } from '../../workload/platform/ports.js';
import { systemRandom } from '../../workload/platform/random.js';
import type { EtcdAccess } from '../../workload/kube/etcd/etcd-client.js';
import { createEtcdClient } from '../../workload/kube/etcd/grpc-etcd-client.js';
import { engineForTests } from './engines.js';
import { startEngine, type EngineProcess } from './real-process.js';
import { createTestPki } from './test-pki.js';

/** A real etcd in a folder of its own. */
export interface RealEtcd {
  readonly access: EtcdAccess;
  readonly pid: () => number;
  /** Kills it (SIGKILL); its data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same data and ports. */
  restart(): Promise<void>;
  /** Kills it and removes its folder. */
  stop(): Promise<void>;
}

/** Starts an etcd on free ports and waits until it serves; with TLS and client certificates on demand. */
export async function startRealEtcd(options: { readonly tls?: boolean } = {}): Promise<RealEtcd> {
  const binary = engineForTests('etcd');
  const folder = await mkdtemp(join(tmpdir(), 'etcd-'));
  const [client = 0, peer = 0] = await freePorts(2);
  const { access, args } = options.tls === true ? await withTls(folder, client) : plain(client);
  const start = (): Promise<EngineProcess> =>
    startEngine(binary, folder, [
      ...['--data-dir', join(folder, 'data'), '--unsafe-no-fsync', '--log-level', 'error'],
      ...['--listen-client-urls', access.endpoint, '--advertise-client-urls', access.endpoint],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
      ...args,
    ]);
  let process = await start();
  await ready(access);
  return {
    access,
    pid: () => process.pid,
    kill: () => process.kill(),
    restart: async () => {
      process = await start();
      await ready(access);
    },
    stop: async () => {
      await process.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ports that nothing listens on. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = await findFreePorts(count, systemRandom);
  if (found.state === 'short') throw new Error(`only ${found.found} free ports`);
  return found.ports;
}

interface Setup {
  readonly access: EtcdAccess;
  readonly args: readonly string[];
}

function plain(port: number): Setup {
  return { access: { endpoint: `http://127.0.0.1:${port}` }, args: [] };
}

async function withTls(folder: string, port: number): Promise<Setup> {
  const pki = await createTestPki();
  const server = await pki.issue('etcd');
  const { certPem, keyPem } = await pki.issue('client');
  const [ca, cert, key] = ['ca.crt', 'server.crt', 'server.key'].map((name) => join(folder, name));
  await writeFile(ca ?? '', pki.caPem);
  await writeFile(cert ?? '', server.certPem);
  await writeFile(key ?? '', server.keyPem);
  const access = { endpoint: `https://127.0.0.1:${port}`, caPem: pki.caPem, certPem, keyPem };
  const files = [
    `--cert-file=${cert ?? ''}`,
    `--key-file=${key ?? ''}`,
    `--trusted-ca-file=${ca ?? ''}`,
  ];
  return { access, args: [...files, '--client-cert-auth'] };
}

async function ready(access: EtcdAccess): Promise<void> {
  const client = createEtcdClient(access);
  try {
    await client.ready(60_000);
  } finally {
    client.close();
  }
}
