import { describe, expect, it } from '@jest/globals';
import { ENGINE_NAMES } from '../../../local/engines/engine-names.js';
import { parseEngineNames } from '../../../local/engines/parse-names.js';
import { platformOf } from '../../../local/engines/platform.js';
import { userErrorsOf } from '../../../model/user-error.js';

const errorsOf = (work: () => unknown) => {
  try {
    work();
    return [];
  } catch (error) {
    return userErrorsOf(error);
  }
};

describe('engine names on a command line', () => {
  it('mean all engines when there are none', () => {
    expect(parseEngineNames([])).toEqual(ENGINE_NAMES);
  });

  it('come out once each, in the order of building', () => {
    expect(parseEngineNames(['kwok', 'etcd', 'kwok'])).toEqual(['etcd', 'kwok']);
  });

  it('fails for each one that is none, with the nearest', () => {
    const errors = errorsOf(() => parseEngineNames(['etc', 'kwok', 'zzzzz']));
    expect(errors.map(({ given, next }) => [given, next])).toEqual([
      ['etc', 'did you mean etcd?'],
      ['zzzzz', 'use one of these names'],
    ]);
  });
});

describe('the machine', () => {
  it("is known by Go's names", () => {
    expect(platformOf('linux', 'arm64')).toEqual({ os: 'linux', arch: 'arm64' });
    expect(platformOf('darwin', 'x64')).toEqual({ os: 'darwin', arch: 'amd64' });
  });

  it.each([
    ['win32', 'x64'],
    ['linux', 'riscv64'],
  ])('fails for %s %s', (system, processor) => {
    const [error] = errorsOf(() => platformOf(system, processor));
    expect(error?.code).toBe('engine/unsupported-platform');
  });
});
