import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import type { KubeAccess } from '../../workload/kube/kube-client.js';
import { systemClock } from '../../workload/platform/clock.js';
import { waitFor } from '../../workload/platform/wait.js';
import { engineForTests } from './engines.js';
import { freePorts, startRealEtcd, type RealEtcd } from './real-etcd.js';
import { startEngine, type EngineProcess } from './real-process.js';
import { createTestPki } from './test-pki.js';

/** A real API server with a real etcd behind it, and nothing else. */
export interface RealKube {
  /** By client certificate, allowed everything. */
  readonly admin: KubeAccess;
  /** By token, known and allowed nothing. */
  readonly stranger: KubeAccess;
  readonly etcd: RealEtcd;
  /** The API server's process. */
  readonly pid: () => number;
  /** Kills the API server (SIGKILL); its objects stay. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both and waits until the API server says it is ready. `env` is the API server's environment. */
export async function startRealKube(env: Readonly<Record<string, string>> = {}): Promise<RealKube> {
  const binary = engineForTests('kube-apiserver');
  const folder = await mkdtemp(join(tmpdir(), 'kube-'));
  const etcd = await startRealEtcd();
  const [port = 0] = await freePorts(1);
  const { args, access } = await prepare(folder, `https://127.0.0.1:${port}`);
  const start = async (): Promise<EngineProcess> => {
    const place = [`--secure-port=${port}`, `--etcd-servers=${etcd.access.endpoint}`];
    const started = await startEngine(binary, folder, [...args, ...place], env);
    await ready(access.admin, started.log);
    return started;
  };
  let process = await start();
  return {
    ...access,
    etcd,
    pid: () => process.pid,
    kill: () => process.kill(),
    restart: async () => {
      process = await start();
    },
    stop: async () => {
      // The API server first: without its etcd it would hang in its own stop.
      await process.kill();
      await etcd.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Prepared {
  readonly args: readonly string[];
  readonly access: { readonly admin: KubeAccess; readonly stranger: KubeAccess };
}

async function prepare(folder: string, server: string): Promise<Prepared> {
  const pki = await createTestPki();
  const own = await pki.issue('kube-apiserver');
  const serviceAccounts = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const files = {
    'ca.crt': pki.caPem,
    'server.crt': own.certPem,
    'server.key': own.keyPem,
    'tokens.csv': 'stranger-token,stranger,stranger\n',
    'sa.key': serviceAccounts.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const admin = await pki.issue('admin', 'system:masters');
  const shared = { server, caPem: pki.caPem };
  return {
    access: {
      admin: { ...shared, credential: { kind: 'certificate', ...admin } },
      stranger: { ...shared, credential: { kind: 'token', token: 'stranger-token' } },
    },
    args: [
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      '--service-cluster-ip-range=192.168.0.0/20',
      '--authorization-mode=RBAC',
      `--client-ca-file=${join(folder, 'ca.crt')}`,
      `--tls-cert-file=${join(folder, 'server.crt')}`,
      `--tls-private-key-file=${join(folder, 'server.key')}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      '--service-account-issuer=https://meshscale.test',
      `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
      `--service-account-key-file=${join(folder, 'sa.key')}`,
    ],
  };
}

async function ready(access: KubeAccess, log: string): Promise<void> {
  const client = createKubeClient(access);
  try {
    const waited = await waitFor({ clock: systemClock, budget: 120_000, period: 200 }, async () => {
      const answer = await client.request('GET', '/readyz');
      if (answer.ok) return { state: 'ready', value: undefined };
      return { state: 'waiting', missing: [`${answer.status} ${answer.message}`] };
    });
    if (waited.state === 'ready') return;
    const tail = (await readFile(log, 'utf8')).split('\n').slice(-20).join('\n');
    throw new Error(`the API server is not ready: ${waited.missing.join()}\n${tail}`);
  } finally {
    await client.close();
  }
}
