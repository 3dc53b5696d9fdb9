import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { userErrorsOf, type UserError } from '../../../model/user-error.js';
import { accessFromKubeconfig, readKubeconfig } from '../../../workload/kube/kubeconfig.js';
import { kubeconfigText } from '../../../workload/kube/kubeconfig-text.js';

const CA = '-----BEGIN CERTIFICATE-----\nca\n-----END CERTIFICATE-----\n';
const CERT = '-----BEGIN CERTIFICATE-----\nme\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN PRIVATE KEY-----\nkey\n-----END PRIVATE KEY-----\n';
const SERVER = 'https://127.0.0.1:20011';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  file = join(folder, 'config');
});

afterEach(() => rm(folder, { recursive: true }));

/** One context `mesh-001` with this cluster and user. */
async function write(cluster: object, user: object, more: object = {}): Promise<void> {
  const content = {
    clusters: [{ name: 'c', cluster: { server: SERVER, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'mesh-001', context: { cluster: 'c', user: 'u' } }],
    ...more,
  };
  await writeFile(file, stringify(content));
}

async function refusals(context = 'mesh-001'): Promise<readonly UserError[]> {
  const thrown: unknown = await accessFromKubeconfig(file, context).then(
    () => undefined,
    (error: unknown) => error,
  );
  return userErrorsOf(thrown);
}

async function codes(context?: string): Promise<string[]> {
  return (await refusals(context)).map(({ code }) => code);
}

describe('kubeconfigText', () => {
  it('makes what accessFromKubeconfig reads back', async () => {
    const names = { cluster: 'mesh-001', user: 'admin', context: 'mesh-001' };
    const parts = { ...names, server: SERVER, caPem: CA, certPem: CERT, keyPem: KEY };
    await writeFile(file, kubeconfigText(parts));
    expect((await readKubeconfig(file)).currentContext).toBe('mesh-001');
    expect(await accessFromKubeconfig(file, 'mesh-001')).toEqual({
      server: SERVER,
      caPem: CA,
      credential: { kind: 'certificate', certPem: CERT, keyPem: KEY },
      insecureSkipTlsVerify: false,
    });
  });
});

describe('accessFromKubeconfig', () => {
  it('reads certificates from files beside the kubeconfig', async () => {
    await writeFile(join(folder, 'ca.crt'), CA);
    await writeFile(join(folder, 'me.crt'), CERT);
    await writeFile(join(folder, 'me.key'), KEY);
    await write(
      { 'certificate-authority': 'ca.crt' },
      { 'client-certificate': 'me.crt', 'client-key': join(folder, 'me.key') },
    );
    expect(await accessFromKubeconfig(file, 'mesh-001')).toMatchObject({
      caPem: CA,
      credential: { kind: 'certificate', certPem: CERT, keyPem: KEY },
    });
  });

  it('takes a token, or the file that holds it', async () => {
    await write({}, { token: 'abc' });
    const credential = { kind: 'token', token: 'abc' };
    expect(await accessFromKubeconfig(file, 'mesh-001')).toMatchObject({ credential });
    await writeFile(join(folder, 'token'), 'abc\n');
    await write({}, { tokenFile: 'token' });
    expect(await accessFromKubeconfig(file, 'mesh-001')).toMatchObject({ credential });
  });

  it('prefers a certificate to a token, as AKS gives both', async () => {
    const data = {
      'client-certificate-data': Buffer.from(CERT).toString('base64'),
      'client-key-data': Buffer.from(KEY).toString('base64'),
    };
    await write({}, { ...data, token: 'abc' });
    const { credential } = await accessFromKubeconfig(file, 'mesh-001');
    expect(credential.kind).toBe('certificate');
  });

  it('is nobody when the context names no user', async () => {
    await write(
      { 'insecure-skip-tls-verify': true, 'tls-server-name': 'api' },
      {},
      { contexts: [{ name: 'mesh-001', context: { cluster: 'c' } }] },
    );
    expect(await accessFromKubeconfig(file, 'mesh-001')).toEqual({
      server: SERVER,
      caPem: undefined,
      credential: { kind: 'none' },
      insecureSkipTlsVerify: true,
      tlsServerName: 'api',
    });
  });

  it('fails when there is no such file, or it is a folder', async () => {
    expect(await codes()).toEqual(['kube/kubeconfig-unreadable']);
    file = folder;
    expect(await codes()).toEqual(['kube/kubeconfig-unreadable']);
  });

  it('fails with the line of what is not YAML', async () => {
    await writeFile(file, 'clusters: []\ncontexts: [\n');
    const [error] = await refusals();
    expect(error?.code).toBe('kube/kubeconfig-unreadable');
    expect(error?.where).toMatchObject({ file, line: 3 });
  });

  it('fails with everything that does not have the form of a kubeconfig', async () => {
    await write({ server: 'ftp://x' }, { token: 5 }, { contexts: [{ name: 'a' }] });
    const problems = (await refusals()).map(({ problem }) => problem).join('\n');
    expect(problems).toContain('clusters.0.cluster.server');
    expect(problems).toContain('users.0.user.token');
    expect(problems).toContain('contexts.0.context');
  });

  it('fails for an empty file', async () => {
    await writeFile(file, '');
    expect(await codes()).toEqual(['kube/kubeconfig-unreadable']);
  });

  it('fails with the nearest name for an unknown context', async () => {
    await write({}, {});
    const [error] = await refusals('mesh-01');
    expect(error?.code).toBe('kube/unknown-context');
    expect(error?.next).toContain('mesh-001');
    expect((await refusals('production'))[0]?.expected).toContain('mesh-001');
  });

  it('fails with everything that a context lacks at once', async () => {
    await write(
      {
        'certificate-authority-data': 'bm90IGEgcGVt',
        'proxy-url': 'http://proxy',
      },
      { 'client-certificate': 'gone.crt', as: 'someone', username: 'me' },
    );
    expect((await codes()).sort()).toEqual([
      'kube/access-unsupported',
      'kube/access-unsupported',
      'kube/access-unsupported',
      'kube/kubeconfig-incomplete',
      'kube/kubeconfig-incomplete',
    ]);
  });

  it('fails when the context points to a cluster and a user that are not there', async () => {
    await write({}, {}, { contexts: [{ name: 'mesh-001', context: { cluster: 'x', user: 'y' } }] });
    expect(await codes()).toEqual(['kube/kubeconfig-incomplete', 'kube/kubeconfig-incomplete']);
  });

  it('fails when a certificate has no key', async () => {
    await write({}, { 'client-certificate-data': Buffer.from(CERT).toString('base64') });
    expect(await codes()).toEqual(['kube/kubeconfig-incomplete']);
  });
});

describe('a credential plugin', () => {
  async function plugin(script: string): Promise<void> {
    const command = join(folder, 'plugin');
    await writeFile(command, `#!/bin/sh\n${script}\n`);
    await chmod(command, 0o755);
    const apiVersion = 'client.authentication.k8s.io/v1';
    await write({}, { exec: { apiVersion, command, args: [], interactiveMode: 'Never' } });
  }

  it('gives a token', async () => {
    await plugin(`echo '{"kind":"ExecCredential","status":{"token":"from-plugin"}}'`);
    expect(await accessFromKubeconfig(file, 'mesh-001')).toMatchObject({
      credential: { kind: 'token', token: 'from-plugin' },
    });
  });

  it('gives a certificate', async () => {
    const status = { clientCertificateData: CERT, clientKeyData: KEY };
    await plugin(`echo '${JSON.stringify({ status }).replaceAll('\\n', '\\\\n')}'`);
    expect(await accessFromKubeconfig(file, 'mesh-001')).toMatchObject({
      credential: { kind: 'certificate', certPem: CERT, keyPem: KEY },
    });
  });

  it("fails with the plugin's own words", async () => {
    await plugin('echo "please log in" >&2; exit 1');
    const [error] = await refusals();
    expect(error?.code).toBe('kube/credential-plugin-failed');
    expect(error?.given).toBe('please log in');
  });

  it('fails without quoting output that may be a secret', async () => {
    await plugin('echo s3cret-t0ken');
    const [error] = await refusals();
    expect(error?.code).toBe('kube/credential-plugin-failed');
    expect(`${String(error?.given)}${String(error?.cause)}`).not.toContain('s3cret');
  });

  it('fails when the plugin is not installed', async () => {
    await write({}, { exec: { command: join(folder, 'none') } });
    expect(await codes()).toEqual(['kube/credential-plugin-failed']);
  });
});
