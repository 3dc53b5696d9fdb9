import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A CA and what it has signed for the loopback, all PEM. */
export interface LoopbackAuthority {
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
/** Valid whatever a clock says: virtual time may be anywhere. */
const VALID = { notBefore: new Date('2020-01-01'), notAfter: new Date('2099-01-01') };

/**
 * A CA of its own for one service. Real clients refuse to put a token on plain http, so the service
 * speaks TLS; key identifiers are there because strict clients (Python from 3.13 on) ask for them.
 */
export async function createLoopbackAuthority(): Promise<LoopbackAuthority> {
  const caKeys = await newKeys();
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=fleet-service-ca',
    keys: caKeys,
    signingAlgorithm: ALGORITHM,
    ...VALID,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    ...VALID,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'localhost' },
      ]),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      await AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    caPem: ca.toString('pem'),
    certPem: certificate.toString('pem'),
    keyPem: PemConverter.encode(pkcs8, 'PRIVATE KEY'),
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
