import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate with its key. */
export interface TestCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

/** A CA for one test, and what it signs for the loopback. */
export interface TestPki {
  readonly caPem: string;
  /** For server and client use alike. */
  issue(commonName: string, organization?: string): Promise<TestCertificate>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const NOT_BEFORE = new Date('2020-01-01T00:00:00Z');
const NOT_AFTER = new Date('2099-01-01T00:00:00Z');

/** Makes a CA of its own. */
export async function createTestPki(): Promise<TestPki> {
  const keys = await newKeys();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test-ca',
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  return {
    caPem: ca.toString('pem'),
    issue: async (commonName, organization) => {
      const subjectKeys = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${commonName}${organization === undefined ? '' : `, O=${organization}`}`,
        issuer: ca.subject,
        publicKey: subjectKeys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        notBefore: NOT_BEFORE,
        notAfter: NOT_AFTER,
        extensions: [
          new x509.SubjectAlternativeNameExtension([
            { type: 'ip', value: '127.0.0.1' },
            { type: 'dns', value: 'localhost' },
          ]),
          new x509.ExtendedKeyUsageExtension([
            x509.ExtendedKeyUsage.serverAuth,
            x509.ExtendedKeyUsage.clientAuth,
          ]),
        ],
      });
      const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', subjectKeys.privateKey);
      return {
        certPem: certificate.toString('pem'),
        keyPem: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
      };
    },
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
