import { status, type ServiceError } from '@grpc/grpc-js';
import { errorCatalogue } from '../../../model/error-catalogue.js';
import type { UserError } from '../../../model/user-error.js';

const catalogue = errorCatalogue({
  'kube/etcd-unreachable': {
    exit: 'infrastructure',
    meaning: 'An etcd gave no answer, or none in time.',
  },
  'kube/etcd-refused': {
    exit: 'infrastructure',
    meaning: 'An etcd answered and refused.',
  },
});

/** The codes of this folder, for the generated docs. */
export const ETCD_ERRORS = catalogue.meanings;

/** A failed call as an error that says what to do about it. */
export function etcdFailure(endpoint: string, deed: string, error: ServiceError): UserError {
  const given = `${deed}: ${error.details === '' ? error.message : error.details}`;
  const where = { path: endpoint };
  if (error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED) {
    return catalogue.make('kube/etcd-unreachable', {
      problem: `the etcd ${endpoint} does not answer`,
      given,
      next: 'check that it runs, and that certificates and endpoint belong together',
      where,
      cause: error,
    });
  }
  return catalogue.make('kube/etcd-refused', {
    problem: `the etcd ${endpoint} refused (${status[error.code]})`,
    given,
    next: 'look into the log of that etcd',
    where,
    cause: error,
  });
}

/** Whether a read failed because its revision is gone. */
export function isCompacted({ cause }: UserError): boolean {
  return (cause as Partial<ServiceError> | undefined)?.code === status.OUT_OF_RANGE;
}

/** A wait for an etcd that ran out. */
export function etcdNotReady(endpoint: string, seconds: number, lastSeen: string): UserError {
  return catalogue.make('kube/etcd-unreachable', {
    problem: `the etcd ${endpoint} was not ready within ${seconds} s`,
    given: lastSeen,
    next: 'look into its log; check that certificates and endpoint belong together',
    where: { path: endpoint },
  });
}

/** A watch that etcd ended by itself. */
export function watchEnded(endpoint: string, why: string): UserError {
  return catalogue.make('kube/etcd-refused', {
    problem: `the etcd ${endpoint} ended a watch`,
    given: why,
    next: 'look into the log of that etcd',
    where: { path: endpoint },
  });
}
