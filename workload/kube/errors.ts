import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';
import type { KubeAnswer } from './kube-client.js';

const catalogue = errorCatalogue({
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
