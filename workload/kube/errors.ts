import { errorCatalogue } from '../../model/error-catalogue.js';
import { nearestName } from '../../model/nearest-name.js';
import type { UserError } from '../../model/user-error.js';
import type { KubeAnswer } from './kube-client.js';

const catalogue = errorCatalogue({
  'kube/kubeconfig-unreadable': {
    exit: 'bad-input',
    meaning: 'A kubeconfig is missing, cannot be read, or does not have the form of one.',
  },
  'kube/unknown-context': {
    exit: 'bad-input',
    meaning: 'A kubeconfig has no context of that name.',
  },
  'kube/kubeconfig-incomplete': {
    exit: 'bad-input',
    meaning: 'A context points to a cluster, user, file or certificate that is not there.',
  },
  'kube/access-unsupported': {
    exit: 'bad-input',
    meaning: 'A context asks for a way of access that meshscale does not have.',
  },
  'kube/credential-plugin-failed': {
    exit: 'infrastructure',
    meaning: 'The credential plugin that a context names gave no credentials.',
  },
  'kube/unreachable': {
    exit: 'infrastructure',
    meaning: 'An API server gave no answer at all.',
  },
  'kube/credentials-expired': {
    exit: 'infrastructure',
    meaning: 'An API server does not accept who we say we are (401).',
  },
  'kube/forbidden': {
    exit: 'infrastructure',
    meaning: 'An API server knows us and does not let us do this (403).',
  },
  'kube/not-served': {
    exit: 'infrastructure',
    meaning: 'An API server does not know this path (404): often a missing CRD.',
  },
  'kube/refused': {
    exit: 'infrastructure',
    meaning: 'An API server refused a request for another reason.',
  },
  'kube/watch-broken': {
    exit: 'infrastructure',
    meaning: 'A watch stream held something that is not a watch event.',
  },
});

/** The codes of this folder, for the generated docs. */
export const KUBE_ERRORS = catalogue.meanings;

/** A refusal, or no answer, as an error that says what to do about it. */
export function apiFailure(
  server: string,
  path: string,
  answer: Extract<KubeAnswer, { ok: false }>,
): UserError {
  const given = `${path.split('?')[0] ?? path}: ${answer.message}`;
  const where = { path: server };
  const [code, problem, next] = REFUSALS.get(answer.status) ?? OTHER_REFUSAL;
  return catalogue.make(code, {
    problem: `the API server ${server} ${problem} (${answer.status} ${answer.reason})`,
    given,
    next,
    where,
  });
}

type Refusal = readonly [code: keyof typeof catalogue.meanings, problem: string, next: string];

const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  [
    0,
    [
      'kube/unreachable',
      'does not answer',
      'check that the cluster is up and that this machine reaches it',
    ],
  ],
  [
    401,
    [
      'kube/credentials-expired',
      'does not accept the credentials',
      'fetch the kubeconfig again, or log in again with the tool that made it',
    ],
  ],
  [
    403,
    [
      'kube/forbidden',
      'forbids this',
      'ask for the right that the message names, or use a context that has it',
    ],
  ],
  [
    404,
    [
      'kube/not-served',
      'does not serve this path',
      'check that the custom resource it belongs to is installed there',
    ],
  ],
]);

const OTHER_REFUSAL: Refusal = [
  'kube/refused',
  'refused a request',
  'look into the log of that API server',
];

/** A line of a watch stream that is no event. */
export function watchBroken(server: string, path: string, line: string): UserError {
  return catalogue.make('kube/watch-broken', {
    problem: `the watch stream of ${server} holds something that is no watch event`,
    given: `${path.split('?')[0] ?? path}: ${line.slice(0, 120)}`,
    expected: 'one JSON object with type and object in each line',
    next: 'check what stands between this machine and the API server (a proxy?)',
    where: { path: server },
  });
}

/** A kubeconfig that cannot be used at all. */
export function kubeconfigUnreadable(file: string, why: string, line?: number): UserError {
  return catalogue.make('kube/kubeconfig-unreadable', {
    problem: `the kubeconfig cannot be used: ${why}`,
    expected: 'a kubeconfig with clusters, users and contexts, as kubectl writes it',
    next: 'name the right file with --kubeconfig, or make it again',
    where: line === undefined ? { file } : { file, line },
  });
}

/** A context that the kubeconfig doesn't have. */
export function unknownContext(file: string, context: string, names: readonly string[]): UserError {
  const nearest = nearestName(context, names);
  return catalogue.make('kube/unknown-context', {
    problem: `the kubeconfig has no context "${context}"`,
    given: context,
    expected: names.length === 0 ? 'it has none at all' : `one of ${names.join(', ')}`,
    next:
      nearest === undefined
        ? 'name one of its contexts, or another kubeconfig with --kubeconfig'
        : `did you mean "${nearest}"?`,
    where: { file },
  });
}

/** A context that points to something that isn't there. */
export function kubeconfigIncomplete(file: string, context: string, what: string): UserError {
  return catalogue.make('kube/kubeconfig-incomplete', {
    problem: `the context "${context}" is incomplete: ${what}`,
    next: 'fetch the kubeconfig again with the tool that made it',
    where: { file },
  });
}

/** A way of access that we don't have. */
export function accessUnsupported(file: string, context: string, what: string): UserError {
  return catalogue.make('kube/access-unsupported', {
    problem: `the context "${context}" uses ${what}, which meshscale does not support`,
    expected: 'a client certificate, a token, or a credential plugin',
    next: 'use a context without it',
    where: { file },
  });
}

/** A credential plugin that gave nothing. */
export function pluginFailed(file: string, context: string, cause: Error): UserError {
  return catalogue.make('kube/credential-plugin-failed', {
    problem: `the credential plugin of the context "${context}" failed`,
    given: cause.message.trim().slice(0, 300),
    next: 'run the plugin by hand (kubectl get --raw /version --context …) and log in if it asks for it',
    where: { file },
    cause,
  });
}
