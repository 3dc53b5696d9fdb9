import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Milliseconds } from '../model/quantity.js';

/** P-256 keys: what every component accepts and what costs milliseconds to make. */
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Certificates are valid from a little before now, so that small clock differences do not matter. */
const BACKDATED: Milliseconds = 3_600_000;
/** A local mesh is for hours or days; a year means that no one meets an expiry by accident. */
const VALID_FOR: Milliseconds = 365 * 24 * 3_600_000;

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** A certificate with its private key, both PEM. */
export interface KeyPairPem {
  readonly certPem: string;
  readonly keyPem: string;
}

/** Who a certificate speaks for. Kubernetes reads the user from `commonName`, groups from `organization`. */
export interface Subject {
  readonly commonName: string;
  /** @default - no group */
  readonly organization?: string;
}

/** What a leaf certificate is for. Servers are checked by `hosts` (names and addresses). */
export interface LeafRequest extends Subject {
  readonly usage: 'server' | 'client' | 'both';
  /** @default - none */
  readonly hosts?: readonly string[];
}

/** Makes a certificate authority of our own. */
export async function createAuthority(commonName: string, now: Milliseconds): Promise<KeyPairPem> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialNumber(),
      name: `CN=${commonName}`,
      notBefore: new Date(now - BACKDATED),
      notAfter: new Date(now + VALID_FOR),
      signingAlgorithm: KEY_ALGORITHM,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
    },
    webcrypto,
  );
  return { certPem: certificate.toString('pem'), keyPem: await privatePem(keys.privateKey) };
}

/** Issues a certificate signed by `authority`. */
export async function issueCertificate(
  authority: KeyPairPem,
  request: LeafRequest,
  now: Milliseconds,
): Promise<KeyPairPem> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(),
      subject: subjectName(request),
      issuer: new X509Certificate(authority.certPem).subject,
      notBefore: new Date(now - BACKDATED),
      notAfter: new Date(now + VALID_FOR),
      signingAlgorithm: KEY_ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: await importSigningKey(authority.keyPem),
      extensions: leafExtensions(request),
    },
    webcrypto,
  );
  return { certPem: certificate.toString('pem'), keyPem: await privatePem(keys.privateKey) };
}

/** A key for signing and checking service account tokens, as kube-apiserver reads it. */
export async function createServiceAccountKey(): Promise<{
  privatePem: string;
  publicPem: string;
}> {
  const keys = await generateKeys();
  const spki = await webcrypto.subtle.exportKey('spki', keys.publicKey);
  return {
    privatePem: await privatePem(keys.privateKey),
    publicPem: PemConverter.encode(spki, 'PUBLIC KEY'),
  };
}

/** From when to when a certificate is valid, UTC milliseconds. */
export function validity(certPem: string): { notBefore: Milliseconds; notAfter: Milliseconds } {
  const certificate = new X509Certificate(certPem);
  return {
    notBefore: certificate.notBefore.getTime(),
    notAfter: certificate.notAfter.getTime(),
  };
}

function leafExtensions(request: LeafRequest) {
  const usages = { server: [SERVER_AUTH], client: [CLIENT_AUTH], both: [SERVER_AUTH, CLIENT_AUTH] };
  const hosts = (request.hosts ?? []).map((value) => ({
    type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const),
    value,
  }));
  return [
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension(usages[request.usage]),
    ...(hosts.length === 0 ? [] : [new SubjectAlternativeNameExtension(hosts)]),
  ];
}

function subjectName(subject: Subject): string {
  const organization = subject.organization === undefined ? '' : `O=${subject.organization}, `;
  return `${organization}CN=${subject.commonName}`;
}

function generateKeys() {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
}

/** 16 random bytes, the first without its top bit: serial numbers are positive. @see RFC 5280 4.1.2.2 */
function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return Buffer.from(bytes).toString('hex');
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

function importSigningKey(keyPem: string): Promise<webcrypto.CryptoKey> {
  const [der] = PemConverter.decode(keyPem);
  if (der === undefined) throw new Error('the authority has no private key');
  return webcrypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, false, ['sign']);
}
