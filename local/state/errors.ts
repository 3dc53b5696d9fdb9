import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';

/** What can be wrong with the state folder of a local mesh. */
export const stateErrors = errorCatalogue({
  'mesh/ports-short': {
    exit: 'infrastructure',
    meaning: 'Not enough free TCP ports were found on loopback.',
  },
  'mesh/state-unwritable': {
    exit: 'infrastructure',
    meaning: 'The state folder cannot be read or written.',
  },
  'mesh/state-unreadable': {
    exit: 'infrastructure',
    meaning: 'A file in the state folder is damaged.',
  },
  'mesh/state-version': {
    exit: 'infrastructure',
    meaning: 'The state folder was written by another version of meshscale.',
  },
  'mesh/state-foreign': {
    exit: 'bad-input',
    meaning: 'The state folder holds something that is not a mesh, under names that a mesh uses.',
  },
});

export const portsShort = (needed: number, found: number): UserError =>
  stateErrors.make('mesh/ports-short', {
    problem: 'too few free TCP ports on 127.0.0.1 between 20000 and 32000',
    given: `${found} found`,
    expected: `${needed}`,
    next: 'stop programs that listen there, or give a smaller --clusters',
  });

export const stateUnwritable = (path: string, cause: unknown): UserError =>
  stateErrors.make('mesh/state-unwritable', {
    problem: 'the state folder cannot be used',
    given: `${path} (${cause instanceof Error ? cause.message : String(cause)})`,
    expected: 'a folder that you may read and write',
    next: 'give --state DIR, or set MESHSCALE_HOME',
    cause,
  });

export const stateUnreadable = (path: string, reason: string): UserError =>
  stateErrors.make('mesh/state-unreadable', {
    problem: 'a file in the state folder is damaged',
    given: `${path}: ${reason}`,
    next: 'run `meshscale down` with the same --state: it ends the processes and clears the folder',
  });

export const stateVersionUnknown = (path: string, found: number, known: number): UserError =>
  stateErrors.make('mesh/state-version', {
    problem: 'the state folder was written by another version of meshscale',
    given: `${path} has schemaVersion ${found}`,
    expected: `schemaVersion ${known}`,
    next: 'run `meshscale down` with the same --state: it ends the processes and clears the folder; or use the meshscale that wrote it',
  });

export const stateForeign = (path: string, names: readonly string[]): UserError =>
  stateErrors.make('mesh/state-foreign', {
    problem: 'this folder holds something else under names that a mesh uses',
    given: `${path}: ${names.join(', ')}`,
    expected: 'an empty folder, or one that `meshscale up` made',
    next: 'give --state another folder',
  });
