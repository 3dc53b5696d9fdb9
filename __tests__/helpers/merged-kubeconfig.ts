import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { issueCertificate } from '../../local/pki.js';
import type { LocalMesh } from './local-mesh.js';
import { ROLES } from './mesh-runs.js';

const entry = z.looseObject({ name: z.string() });
const kubeconfigSchema = z.looseObject({
  clusters: z.array(entry),
  users: z.array(entry),
  contexts: z.array(entry),
});

/**
 * Writes one kubeconfig with a context for each cluster of the mesh, as people have it. The user of
 * `expired` gets a certificate of that cluster's own authority which ended a year ago.
 */
export async function writeMergedKubeconfig(
  { stateDir }: LocalMesh,
  file: string,
  expired?: string,
): Promise<void> {
  const parts = await Promise.all(
    ROLES.map(async (role) => {
      const text = await readFile(join(stateDir, role, 'kubeconfig'), 'utf8');
      const own = kubeconfigSchema.parse(parse(text));
      if (role !== expired) return own;
      return {
        ...own,
        users: [await expiredUser(join(stateDir, role, 'pki'), own.users[0]?.name)],
      };
    }),
  );
  const merged = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: parts.flatMap(({ clusters }) => clusters),
    users: parts.flatMap(({ users }) => users),
    contexts: parts.flatMap(({ contexts }) => contexts),
  };
  await writeFile(file, stringify(merged), { mode: 0o600 });
}

async function expiredUser(pki: string, name = '') {
  const [certPem, keyPem] = await Promise.all(
    ['ca.crt', 'ca.key'].map((one) => readFile(join(pki, one), 'utf8')),
  );
  const subject = { commonName: 'admin', organization: 'system:masters', usage: 'client' } as const;
  const authority = { certPem: certPem ?? '', keyPem: keyPem ?? '' };
  const issued = await issueCertificate(authority, subject, Date.now() - TWO_YEARS);
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  const user = {
    'client-certificate-data': base64(issued.certPem),
    'client-key-data': base64(issued.keyPem),
  };
  return { name, user };
}

const TWO_YEARS = 2 * 365 * 24 * 3_600_000;
