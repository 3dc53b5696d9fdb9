import { errorCatalogue } from '../model/error-catalogue.js';
import { bytesText, durationText, type Bytes, type Milliseconds } from '../model/quantity.js';
import type { UserError } from '../model/user-error.js';
import type { LockHolder } from '../workload/platform/lock.js';

/** What can be wrong with a local mesh. */
export const meshErrors = errorCatalogue({
  'mesh/clusters-out-of-range': {
    exit: 'bad-input',
    meaning: 'The number of clusters is not one that a mesh can have.',
  },
  'mesh/nodes-out-of-range': {
    exit: 'bad-input',
    meaning: 'The number of nodes per cluster is not one that the address plan can hold.',
  },
  'mesh/rate-out-of-range': {
    exit: 'bad-input',
    meaning: 'A rate limit is not a positive number.',
  },
  'mesh/memory-short': {
    exit: 'infrastructure',
    meaning: 'The machine has too little free memory for the clusters asked for.',
  },
  'mesh/disk-short': {
    exit: 'infrastructure',
    meaning: 'The state folder has too little free disk for the clusters asked for.',
  },
  'mesh/port-taken': {
    exit: 'infrastructure',
    meaning: 'Another program took a port between its search and its use, several times in a row.',
  },
  'mesh/busy': { exit: 'busy', meaning: 'Another meshscale is changing this mesh.' },
  'mesh/in-use': { exit: 'busy', meaning: 'A run measures this mesh, which is to be changed.' },
  'mesh/component-exited': {
    exit: 'infrastructure',
    meaning: 'A component of a cluster ended while it was starting.',
  },
  'mesh/component-frozen': {
    exit: 'infrastructure',
    meaning: 'A component of a cluster is stopped (SIGSTOP) and does not answer.',
  },
  'mesh/not-ready': {
    exit: 'infrastructure',
    meaning: 'A component of a cluster did not become ready in its time.',
  },
  'mesh/not-connected': {
    exit: 'infrastructure',
    meaning: 'A Service made in one cluster was not seen in the cache of every other one.',
  },
  'mesh/api-refused': {
    exit: 'infrastructure',
    meaning: 'The API server of a cluster refused what the mesh needs.',
  },
  'mesh/clock-jumped': {
    exit: 'infrastructure',
    meaning: "The machine's clock stands outside the validity of the mesh's certificates.",
  },
  'mesh/not-there': {
    exit: 'infrastructure',
    meaning: 'There is no local mesh in the state folder.',
  },
  'mesh/leftovers': {
    exit: 'leftovers',
    meaning: 'Something of the mesh could not be removed; it is listed.',
  },
});

const tailText = (tail: readonly string[]): string =>
  tail.length === 0 ? '(its log is empty)' : tail.join('\n');

export const clustersOutOfRange = (given: string, max: number): UserError =>
  meshErrors.make('mesh/clusters-out-of-range', {
    problem: 'this is not a number of clusters',
    given: `--clusters ${given}`,
    expected: `a whole number from 1 to ${max}`,
    next: 'give --clusters N, for example --clusters 2',
  });

export const nodesOutOfRange = (given: string, max: number): UserError =>
  meshErrors.make('mesh/nodes-out-of-range', {
    problem: 'this is not a number of nodes per cluster',
    given: `--nodes ${given}`,
    expected: `a whole number from 1 to ${max}: each node gets a part of the cluster's 4,096 pod addresses`,
    next: 'give --nodes n, for example --nodes 20',
  });

export const rateOutOfRange = (flag: string, given: string): UserError =>
  meshErrors.make('mesh/rate-out-of-range', {
    problem: 'this is not a rate',
    given: `${flag} ${given}`,
    expected: 'requests per second, a number above 0 and up to 10000',
    next: `give ${flag} a rate, or leave it out`,
  });

export const memoryShort = (facts: {
  clusters: number;
  perCluster: Bytes;
  shared: Bytes;
  available: Bytes;
  fitting: number;
}): UserError =>
  meshErrors.make('mesh/memory-short', {
    problem: 'the machine has too little free memory for this mesh',
    given: `${facts.clusters} clusters × ${bytesText(facts.perCluster)} + ${bytesText(facts.shared)} = ${bytesText(facts.clusters * facts.perCluster + facts.shared)}; free: ${bytesText(facts.available)}`,
    expected: `at most ${facts.fitting} new clusters fit now`,
    next:
      facts.fitting > 0
        ? `free memory, or give a smaller --clusters`
        : 'free memory; not even one more cluster fits',
  });

export const diskShort = (path: string, needed: Bytes, free: Bytes): UserError =>
  meshErrors.make('mesh/disk-short', {
    problem: 'the state folder has too little free disk for this mesh',
    given: `${path}: ${bytesText(free)} free`,
    expected: bytesText(needed),
    next: 'free disk space, or give --state a folder on another disk',
  });

export const portTaken = (what: string, tries: number, tail: readonly string[]): UserError =>
  meshErrors.make('mesh/port-taken', {
    problem: `${what}: its port was taken by another program, ${tries} times in a row`,
    given: tailText(tail),
    next: 'look at what else opens ports between 20000 and 32000, then run `meshscale up` again',
  });

export const meshBusy = (holder: LockHolder): UserError =>
  meshErrors.make('mesh/busy', {
    problem: 'another meshscale is changing this mesh',
    given: `process ${holder.pid} on ${holder.host}: ${holder.purpose}`,
    next: 'wait until it has ended, or give another --state',
  });

export const meshInUse = (holder: LockHolder): UserError =>
  meshErrors.make('mesh/in-use', {
    problem: 'a run is at work on this mesh',
    given: `${holder.purpose} (process ${holder.pid} on ${holder.host})`,
    next: `wait until it has ended, or end it with Ctrl-C there (\`kill -INT ${holder.pid}\`); then again`,
  });

export const componentExited = (what: string, log: string, tail: readonly string[]): UserError =>
  meshErrors.make('mesh/component-exited', {
    problem: `${what} ended while it was starting`,
    given: `the end of ${log}:\n${tailText(tail)}`,
    next: 'mend what the log names, then run `meshscale up` again; `meshscale engines list` shows which binary was used',
  });

export const componentFrozen = (what: string, pid: number): UserError =>
  meshErrors.make('mesh/component-frozen', {
    problem: `${what} is stopped (SIGSTOP) and does not answer`,
    given: `process ${pid}`,
    expected: 'a running process',
    next: `let it go on with \`kill -CONT ${pid}\`, or run \`meshscale up\`, which starts it anew`,
  });

export const notReady = (
  what: string,
  waited: Milliseconds,
  missing: readonly string[],
  log: string,
  tail: readonly string[],
): UserError =>
  meshErrors.make('mesh/not-ready', {
    problem: `${what} was not ready after ${durationText(waited)}`,
    given: `missing: ${missing.join(', ')}\nthe end of ${log}:\n${tailText(tail)}`,
    next: 'see whether the machine is overloaded (`meshscale doctor`), then run `meshscale up` again',
  });

export const notConnected = (
  waited: Milliseconds,
  missing: readonly string[],
  tails: readonly string[],
): UserError =>
  meshErrors.make('mesh/not-connected', {
    problem: `after ${durationText(waited)} a Service was not seen by every other cluster`,
    given: `missing: ${missing.join(', ')}\n${tails.join('\n')}`,
    next: 'run `meshscale mesh status` to see which component is unwell, then `meshscale up` again',
  });

export const apiRefused = (role: string, deed: string, answer: string): UserError =>
  meshErrors.make('mesh/api-refused', {
    problem: `the API server of ${role} refused to ${deed}`,
    given: answer,
    next: 'run `meshscale up` again; if it stays so, `meshscale down` and begin anew',
  });

export const clockJumped = (what: string, now: Milliseconds, from: number, to: number): UserError =>
  meshErrors.make('mesh/clock-jumped', {
    problem: "the machine's clock stands outside the validity of the mesh's certificates",
    given: `it is ${new Date(now).toISOString()}`,
    expected: `${what}: ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`,
    next: 'set the clock right, or make new certificates with `meshscale down` and `meshscale up`',
  });

export const meshNotThere = (path: string, running: readonly string[] = []): UserError =>
  meshErrors.make('mesh/not-there', {
    problem: 'there is no local mesh here',
    given: [
      path,
      ...(running.length === 0
        ? []
        : [`but these processes of one still run: ${running.join(', ')}`]),
    ].join('\n'),
    next:
      running.length === 0
        ? 'run `meshscale up`, or give the --state of another mesh'
        : 'run `meshscale down` with the same --state, which ends them, or `meshscale up`',
  });

export const leftovers = (items: readonly string[]): UserError =>
  meshErrors.make('mesh/leftovers', {
    problem: 'something of the mesh could not be removed',
    given: items.join('\n'),
    next: 'look at what is listed, then run `meshscale down` again',
  });
