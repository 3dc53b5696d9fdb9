import { errorCatalogue } from './error-catalogue.js';
import type { ErrorPlace, UserError } from './user-error.js';

/** The codes of mesh specs. */
export const specErrors = errorCatalogue({
  'spec/bad-field': {
    exit: 'bad-input',
    meaning: 'A field of a mesh spec is unknown, missing or of the wrong kind.',
  },
  'spec/duplicate-cluster': {
    exit: 'bad-input',
    meaning: 'Two clusters of a mesh spec have the same number.',
  },
  'spec/bad-range': {
    exit: 'bad-input',
    meaning:
      'An address range is none, is one that Azure keeps for itself, or lies in the wrong one.',
  },
  'spec/overlapping-ranges': {
    exit: 'bad-input',
    meaning: 'Two address ranges that have to be apart have addresses in common.',
  },
  'spec/subnet-too-small': {
    exit: 'bad-input',
    meaning: 'A subnet has fewer addresses than the nodes and planned pods need.',
  },
  'spec/old-kubernetes': {
    exit: 'bad-input',
    meaning: "The Kubernetes version is older than Fleet's cluster mesh needs.",
  },
  'spec/network-ceiling': {
    exit: 'bad-input',
    meaning: 'The clusters are more, or need more addresses, than the network mode can hold.',
  },
});

/** A field is unknown, missing or of the wrong kind. */
export const badSpecField = (where: ErrorPlace, problem: string, expected?: string): UserError =>
  specErrors.make('spec/bad-field', {
    problem,
    where,
    ...(expected === undefined ? {} : { expected }),
    next: 'correct the spec',
  });

/** Two clusters of a number. */
export const duplicateCluster = (where: ErrorPlace, number: number): UserError =>
  specErrors.make('spec/duplicate-cluster', {
    problem: `there is a second cluster with the number ${number}`,
    where,
    given: String(number),
    next: 'give each cluster a number of its own, 1 to 255',
  });

/** A range that cannot be used. */
export const badRange = (where: ErrorPlace, given: string, expected: string): UserError =>
  specErrors.make('spec/bad-range', {
    problem: 'this address range cannot be used',
    where,
    given,
    expected,
    next: 'correct the range, or leave it out to get the one of the address plan',
  });

/** Two ranges overlap; `other` names the second one. */
export const overlappingRanges = (where: ErrorPlace, given: string, other: string): UserError =>
  specErrors.make('spec/overlapping-ranges', {
    problem: `this address range has addresses in common with ${other}`,
    where,
    given,
    expected: 'ranges of nodes, pods and VNets that are apart in the whole mesh',
    next: 'move one of them, or leave both out to get those of the address plan',
  });

/** A subnet cannot hold what is planned; `sum` is the arithmetic. */
export const subnetTooSmall = (
  where: ErrorPlace,
  given: string,
  usable: number,
  sum: string,
): UserError =>
  specErrors.make('spec/subnet-too-small', {
    problem: `the subnet has ${usable} usable addresses and ${sum} are needed`,
    where,
    given,
    next: 'take a larger range, fewer nodes, or a smaller plannedPodsPerNode',
  });

/** Fleet's mesh needs a newer Kubernetes. */
export const oldKubernetes = (where: ErrorPlace, given: string, oldest: string): UserError =>
  specErrors.make('spec/old-kubernetes', {
    problem: 'this Kubernetes version is too old for a Fleet mesh',
    where,
    given,
    expected: `${oldest} or later`,
    next: 'take a newer version, or leave it out',
  });

/** Too many clusters or addresses for the mode; `instead` says what helps. */
export const networkCeiling = (where: ErrorPlace, problem: string, instead: string): UserError =>
  specErrors.make('spec/network-ceiling', { problem, where, next: instead });
