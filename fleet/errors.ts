import { errorCatalogue } from '../model/error-catalogue.js';
import type { UserError } from '../model/user-error.js';

/** What can go wrong between us and Fleet. */
export const fleetErrors = errorCatalogue({
  'fleet/bad-argument': {
    exit: 'bad-input',
    meaning: 'A verb, flag, id or name of a fleet command is missing or cannot be used.',
  },
  'fleet/unknown-fleet': {
    exit: 'infrastructure',
    meaning: 'There is no such fleet, or it may not be seen.',
  },
  'fleet/unknown-member': {
    exit: 'infrastructure',
    meaning: 'A cluster that is to be in the mesh is not a member of the fleet.',
  },
  'fleet/member-failed': {
    exit: 'infrastructure',
    meaning: 'A cluster could not join the fleet.',
  },
  'fleet/in-other-mesh': {
    exit: 'infrastructure',
    meaning: 'A member belongs to another mesh; it can be in one only.',
  },
  'fleet/mesh-failed': {
    exit: 'infrastructure',
    meaning: 'Fleet says that the mesh has failed: members see no peers.',
  },
  'fleet/not-connected': {
    exit: 'infrastructure',
    meaning: 'The mesh was not connected within its time.',
  },
  'fleet/still-connected': {
    exit: 'leftovers',
    meaning: 'Members are still attached to the mesh, so their clusters must not go yet.',
  },
  'fleet/not-settled': {
    exit: 'infrastructure',
    meaning: 'A cluster did not come to rest within its time.',
  },
  'fleet/busy': {
    exit: 'busy',
    meaning: 'Another meshscale works on this fleet.',
  },
});

/** An argument that is missing or wrong. */
export const badArgument = (
  path: string,
  problem: string,
  given: string | undefined,
  expected: string,
): UserError =>
  fleetErrors.make('fleet/bad-argument', {
    problem,
    where: { path },
    ...(given === undefined || given === '' ? {} : { given }),
    expected,
    next: 'correct it; nothing was touched',
  });

/** The fleet is not there. */
export const unknownFleet = (id: string): UserError =>
  fleetErrors.make('fleet/unknown-fleet', {
    problem: 'there is no such fleet',
    given: id,
    expected: 'the full id of a fleet in a subscription that these credentials may read',
    next: 'look for it with `az fleet list`, and at the account with `az account show`',
  });

/** Members that the fleet doesn't have. */
export const unknownMembers = (names: readonly string[], known: readonly string[]): UserError =>
  fleetErrors.make('fleet/unknown-member', {
    problem: 'clusters that are to be in the mesh are not members of the fleet',
    given: names.join(', '),
    expected: known.length === 0 ? 'the fleet has no member at all' : `among ${known.join(', ')}`,
    next: 'join them first (`cdktf deploy` does), then try again',
  });

/** A member whose join ended badly. */
export const memberFailed = (name: string, given: string): UserError =>
  fleetErrors.make('fleet/member-failed', {
    problem: `${name} could not join the fleet`,
    where: { path: name },
    given,
    next: `look at the cluster of ${name}; when it has come to rest, try again`,
  });

/** A member of another mesh. */
export const inOtherMesh = (name: string, profileId: string): UserError =>
  fleetErrors.make('fleet/in-other-mesh', {
    problem: `${name} is attached to another mesh, and a member can be in one only`,
    where: { path: name },
    given: profileId,
    next: `take it out there first: meshscale fleet leave --profile … --member ${name}`,
  });

/** The mesh has failed; each member's own error is told. */
export const meshFailed = (profile: string, members: readonly string[]): UserError =>
  fleetErrors.make('fleet/mesh-failed', {
    problem: `the mesh ${profile} has failed`,
    given: members.join('\n'),
    expected: 'every member sees its peers within 15 minutes',
    next:
      'look on each of these clusters at the address of the service clustermesh-apiserver in ' +
      'kube-system (none: the cluster needs Network Contributor on its VNet), at the peerings, and ' +
      'for ranges that overlap; then try again',
  });

/** The budget of an ensure has ended. */
export const notConnected = (
  profile: string,
  state: string,
  missing: readonly string[],
): UserError =>
  fleetErrors.make('fleet/not-connected', {
    problem: `the mesh ${profile} is not connected within its time`,
    given: `${state}; missing: ${missing.join(', ')}`,
    next: 'try again: what is done stays done, and the next run goes on from there',
  });

/** A drain or a leave that has not come to its end. */
export const stillConnected = (
  what: string,
  remaining: readonly string[],
  lastState: string,
  cause?: unknown,
): UserError =>
  fleetErrors.make('fleet/still-connected', {
    problem: `${what} is not complete`,
    given:
      remaining.length === 0
        ? `no member is attached any more; ${lastState}`
        : `${remaining.length} still attached: ${remaining.join(', ')}; ${lastState}`,
    expected: 'no member attached, so that clusters can be deleted without harm to their peers',
    next: 'do the same again: it goes on where it stopped; nothing that is still attached was deleted',
    ...(cause === undefined ? {} : { cause }),
  });

/** A cluster that keeps changing. */
export const notSettled = (cluster: string, given: string): UserError =>
  fleetErrors.make('fleet/not-settled', {
    problem: `${cluster} did not come to rest within its time`,
    where: { path: cluster },
    given,
    expected: 'cluster and node pools Succeeded in several reads, one after the other',
    next: 'look at it with `az aks show`; `az aks update` reconciles one that is stuck',
  });

/** Another process works on the fleet. */
export const fleetBusy = (fleetId: string, holder: string): UserError =>
  fleetErrors.make('fleet/busy', {
    problem: 'another meshscale works on this fleet',
    given: `${fleetId}: ${holder}`,
    next: 'wait until it has ended, then try again',
  });
