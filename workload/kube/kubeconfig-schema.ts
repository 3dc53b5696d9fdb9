import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { UserError } from '../../model/user-error.js';
import { kubeconfigUnreadable } from './errors.js';

const text = z.string().min(1);

const clusterSchema = z.object({
  server: z.url({ protocol: /^https?$/ }),
  'certificate-authority': text.optional(),
  'certificate-authority-data': text.optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
  'proxy-url': z.string().optional(),
});

const userSchema = z.object({
  'client-certificate': text.optional(),
  'client-certificate-data': text.optional(),
  'client-key': text.optional(),
  'client-key-data': text.optional(),
  token: text.optional(),
  tokenFile: text.optional(),
  username: z.string().optional(),
  as: z.string().optional(),
  exec: z.looseObject({ command: text }).nullish(),
  'auth-provider': z.looseObject({ name: text }).nullish(),
});

const contextSchema = z.object({ cluster: text, user: z.string().optional() });

/** Lists are `null` in what kubectl writes when they are empty. */
const schema = z.object({
  clusters: z.array(z.object({ name: text, cluster: clusterSchema })).nullish(),
  users: z.array(z.object({ name: text, user: userSchema.nullish() })).nullish(),
  contexts: z.array(z.object({ name: text, context: contextSchema })).nullish(),
  'current-context': z.string().optional(),
});

/** A cluster as a kubeconfig has it. */
export type KubeconfigCluster = z.infer<typeof clusterSchema>;

/** A user as a kubeconfig has it. */
export type KubeconfigUser = z.infer<typeof userSchema>;

/** A context as a kubeconfig has it; `user` is empty when it names none. */
export interface KubeconfigContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
}

/** A kubeconfig, checked for shape, with the file that it came from. */
export interface Kubeconfig {
  readonly file: string;
  readonly text: string;
  /** @default - the file names none */
  readonly currentContext: string | undefined;
  readonly contexts: readonly KubeconfigContext[];
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
}

/** A kubeconfig, or everything that is wrong with its text. */
export type ParsedKubeconfig =
  | { readonly ok: true; readonly kubeconfig: Kubeconfig }
  | { readonly ok: false; readonly errors: readonly UserError[] };

/** Parses a kubeconfig. Its values never stand in an error: they may be secrets. */
export function parseKubeconfig(content: string, file: string): ParsedKubeconfig {
  const lines = new LineCounter();
  const document = parseDocument(content, { prettyErrors: false, lineCounter: lines });
  if (document.errors.length > 0) {
    const errors = document.errors.map(({ code, pos }) =>
      kubeconfigUnreadable(file, `it is not YAML (${code})`, lines.linePos(pos[0]).line),
    );
    return { ok: false, errors };
  }
  const parsed = schema.safeParse(document.toJS());
  if (parsed.success) return { ok: true, kubeconfig: kubeconfigOf(parsed.data, content, file) };
  const errors = parsed.error.issues.map(({ path, message }) =>
    kubeconfigUnreadable(file, `${path.length === 0 ? 'the file' : path.join('.')}: ${message}`),
  );
  return { ok: false, errors };
}

function kubeconfigOf(data: z.infer<typeof schema>, content: string, file: string): Kubeconfig {
  const { contexts, clusters, users, 'current-context': current } = data;
  return {
    file,
    text: content,
    currentContext: current === '' ? undefined : current,
    contexts: (contexts ?? []).map(({ name, context: { cluster, user = '' } }) => ({
      name,
      cluster,
      user,
    })),
    clusters: new Map((clusters ?? []).map((entry) => [entry.name, entry.cluster])),
    users: new Map((users ?? []).map((entry) => [entry.name, entry.user ?? {}])),
  };
}
