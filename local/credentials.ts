import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { ClusterRole } from '../model/cluster-identity.js';
import type { Milliseconds } from '../model/quantity.js';
import {
  ensureDirectory,
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  readIfThere,
  writeAtomic,
} from '../workload/platform/files.js';
import { clockJumped } from './errors.js';
import {
  createAuthority,
  createServiceAccountKey,
  issueCertificate,
  validity,
  type KeyPairPem,
  type LeafRequest,
} from './pki.js';

/** Every server of the mesh listens on loopback only. */
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost'];

/** The certificates of a cluster, by what they are for. The names are the file names. */
const CLUSTER_CERTIFICATES = {
  'kube-apiserver': {
    commonName: 'kube-apiserver',
    usage: 'server',
    hosts: [...LOOPBACK_HOSTS, 'kubernetes', 'kubernetes.default.svc', '192.168.0.1'],
  },
  etcd: { commonName: 'etcd', usage: 'both', hosts: LOOPBACK_HOSTS },
  'etcd-client': { commonName: 'kube-apiserver', usage: 'client' },
  'component-server': { commonName: 'component', usage: 'server', hosts: LOOPBACK_HOSTS },
  admin: { commonName: 'meshscale-admin', organization: 'system:masters', usage: 'client' },
  'kube-controller-manager': { commonName: 'system:kube-controller-manager', usage: 'client' },
  'kube-scheduler': { commonName: 'system:kube-scheduler', usage: 'client' },
  kwok: { commonName: 'meshscale:kwok', usage: 'client' },
  'agent-controller': { commonName: 'meshscale:agent-controller', usage: 'client' },
  'clustermesh-apiserver': { commonName: 'meshscale:clustermesh-apiserver', usage: 'client' },
  prometheus: { commonName: 'meshscale:prometheus', usage: 'client' },
} as const satisfies Readonly<Record<string, LeafRequest>>;

/** Who talks to whom inside a cluster. */
export type ClusterCertificate = keyof typeof CLUSTER_CERTIFICATES;

/** Certificates of the mesh etcds: one authority for all clusters, as Cilium's Cluster Mesh wants it. */
const MESH_CERTIFICATES = {
  'mesh-etcd': { commonName: 'mesh-etcd', usage: 'both', hosts: LOOPBACK_HOSTS },
  'mesh-etcd-client': { commonName: 'meshscale:mesh', usage: 'client' },
} as const satisfies Readonly<Record<string, LeafRequest>>;

/** A certificate, its key, and the authority that signed it; each with its file. */
export interface IssuedCertificate extends KeyPairPem {
  readonly caPem: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** All credentials of one cluster. Secrets: they stand in 0600 files of a 0700 folder. */
export interface ClusterCredentials {
  readonly kube: Readonly<Record<ClusterCertificate, IssuedCertificate>>;
  readonly mesh: Readonly<Record<keyof typeof MESH_CERTIFICATES, IssuedCertificate>>;
  readonly serviceAccountPrivateFile: string;
  readonly serviceAccountPublicFile: string;
}

/**
 * Reads the credentials of a cluster, making those that are missing, so that an interrupted `up`
 * goes on where it stopped. Throws mesh/clock-jumped when the clock is outside their validity.
 */
export async function clusterCredentials(
  role: ClusterRole,
  directories: { readonly cluster: string; readonly mesh: string },
  now: Milliseconds,
): Promise<ClusterCredentials> {
  await ensureDirectory(directories.cluster, PRIVATE_DIRECTORY);
  const kubeAuthority = await authority(join(directories.cluster, 'ca'), `meshscale ${role}`, now);
  const meshAuthority = await authority(join(directories.mesh, 'mesh-ca'), 'meshscale mesh', now);
  const serviceAccount = await serviceAccountKey(join(directories.cluster, 'service-account'));
  return {
    kube: await issueAll(CLUSTER_CERTIFICATES, directories.cluster, kubeAuthority, now),
    mesh: await issueAll(MESH_CERTIFICATES, directories.cluster, meshAuthority, now),
    ...serviceAccount,
  };
}

/** Makes the authority that all mesh etcds share, before clusters are brought up side by side. */
export async function ensureMeshAuthority(directory: string, now: Milliseconds): Promise<void> {
  await ensureDirectory(directory, PRIVATE_DIRECTORY);
  await authority(join(directory, 'mesh-ca'), 'meshscale mesh', now);
}

interface Authority extends KeyPairPem {
  readonly caFile: string;
}

async function authority(path: string, commonName: string, now: Milliseconds): Promise<Authority> {
  const pair = await readOrMake(path, now, () => createAuthority(commonName, now));
  return { ...pair, caFile: `${path}.crt` };
}

async function issueAll<Name extends string>(
  requests: Readonly<Record<Name, LeafRequest>>,
  directory: string,
  signer: Authority,
  now: Milliseconds,
): Promise<Readonly<Record<Name, IssuedCertificate>>> {
  const names = Object.keys(requests) as Name[];
  const issued = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const pair = await readOrMake(
        path,
        now,
        () => issueCertificate(signer, requests[name], now),
        signer.certPem,
      );
      const files = { certFile: `${path}.crt`, keyFile: `${path}.key`, caFile: signer.caFile };
      return [name, { ...pair, ...files, caPem: signer.certPem }] as const;
    }),
  );
  return Object.fromEntries(issued) as Record<Name, IssuedCertificate>;
}

/**
 * The pair at `path`, made anew when half of it is missing, it is damaged, or another authority signed it
 * (what an interruption or somebody's hand leaves). The key is written first: a certificate without
 * its key would never be made again.
 */
async function readOrMake(
  path: string,
  now: Milliseconds,
  make: () => Promise<KeyPairPem>,
  signerPem?: string,
): Promise<KeyPairPem> {
  const certPem = await readIfThere(`${path}.crt`);
  const keyPem = await readIfThere(`${path}.key`);
  if (certPem !== undefined && keyPem !== undefined && isUsable(certPem, signerPem)) {
    refuseOtherTime(`${path}.crt`, certPem, now);
    return { certPem, keyPem };
  }
  const pair = await make();
  await writeAtomic(`${path}.key`, pair.keyPem, PRIVATE_FILE);
  await writeAtomic(`${path}.crt`, pair.certPem, PRIVATE_FILE);
  return pair;
}

function refuseOtherTime(file: string, certPem: string, now: Milliseconds): void {
  const { notBefore, notAfter } = validity(certPem);
  if (now < notBefore || now > notAfter) throw clockJumped(file, now, notBefore, notAfter);
}

/** False for a damaged certificate, and for one that another authority signed. */
function isUsable(certPem: string, signerPem: string | undefined): boolean {
  try {
    const certificate = new X509Certificate(certPem);
    return signerPem === undefined || certificate.verify(new X509Certificate(signerPem).publicKey);
  } catch {
    return false;
  }
}

async function serviceAccountKey(path: string) {
  const files = {
    serviceAccountPrivateFile: `${path}.key`,
    serviceAccountPublicFile: `${path}.pub`,
  };
  const there = await Promise.all(Object.values(files).map(readIfThere));
  if (there.every((text) => text !== undefined)) return files;
  const { privatePem, publicPem } = await createServiceAccountKey();
  await writeAtomic(files.serviceAccountPrivateFile, privatePem, PRIVATE_FILE);
  await writeAtomic(files.serviceAccountPublicFile, publicPem, PRIVATE_FILE);
  return files;
}
