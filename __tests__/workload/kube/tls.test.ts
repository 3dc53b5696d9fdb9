import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TLSSocket } from 'node:tls';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import type { KubeAccess, KubeAnswer } from '../../../workload/kube/kube-client.js';
import { startLoopbackServer, type LoopbackServer } from '../../helpers/loopback-server.js';
import { createTestPki, type TestCertificate, type TestPki } from '../../helpers/test-pki.js';

let pki: TestPki;
let admin: TestCertificate;
let server: LoopbackServer;

beforeAll(async () => {
  pki = await createTestPki();
  admin = await pki.issue('admin');
  const { certPem: cert, keyPem: key } = await pki.issue('kube-apiserver');
  const tls = { cert, key, ca: pki.caPem, requestCert: true, rejectUnauthorized: false };
  server = await startLoopbackServer((request, response) => {
    const { socket } = request;
    const subject = socket instanceof TLSSocket ? socket.getPeerCertificate().subject : undefined;
    response.end((subject as { CN?: string } | undefined)?.CN ?? 'nobody');
  }, tls);
});

afterAll(() => server.close());

async function ask(access: Partial<KubeAccess>): Promise<KubeAnswer> {
  const client = createKubeClient({ server: server.url, credential: { kind: 'none' }, ...access });
  try {
    return await client.request('GET', '/');
  } finally {
    await client.close();
  }
}

describe('a client over TLS', () => {
  it('shows its certificate and checks the server by the CA', async () => {
    const credential = { kind: 'certificate', ...admin } as const;
    expect(await ask({ caPem: pki.caPem, credential })).toMatchObject({ ok: true, body: 'admin' });
  });

  it('fails as no answer when the CA is another one', async () => {
    const { caPem } = await createTestPki();
    const answer = await ask({ caPem });
    expect(answer).toMatchObject({ ok: false, status: 0 });
    expect(answer).toMatchObject({ reason: expect.stringMatching(/SIGNATURE|CERT|ISSUER/) });
  });

  it('takes any server when the user has said so', async () => {
    expect(await ask({ insecureSkipTlsVerify: true })).toMatchObject({ ok: true, body: 'nobody' });
  });

  it('checks another name when it is told one', async () => {
    const { caPem } = pki;
    expect(await ask({ caPem, tlsServerName: 'localhost' })).toMatchObject({ ok: true });
    expect(await ask({ caPem, tlsServerName: 'other.example' })).toMatchObject({
      ok: false,
      reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });
});
