import { describe, expect, it } from '@jest/globals';
import { userErrorsOf, type UserError } from '../../../model/user-error.js';
import { readCl2Flags, type Cl2Flags } from '../../../workload/commands/cl2-flags.js';

function read(flags: Partial<Cl2Flags>, env: Record<string, string> = {}) {
  return readCl2Flags({ target: 'kubeconfig', ...flags }, env);
}

function refusals(flags: Partial<Cl2Flags>): readonly UserError[] {
  try {
    read(flags);
    return [];
  } catch (error) {
    return userErrorsOf(error);
  }
}

describe('the flags of ClusterLoader2', () => {
  it('mean a process here when nothing is said', () => {
    expect(read({ cl2Set: ['CL2_X=1'] })).toEqual({ kind: 'binary', settings: { CL2_X: '1' } });
  });

  it('take the image from the environment, and an empty node selector', () => {
    const choice = read({ executor: 'job' }, { MESHSCALE_CL2_IMAGE: 'registry.test:5000/cl2:v1' });
    expect(choice).toEqual({
      kind: 'job',
      settings: {
        image: 'registry.test:5000/cl2:v1',
        command: undefined,
        helperImage: undefined,
        resources: { cpu: '500m', memory: '512Mi', memoryLimit: '2Gi' },
        nodeSelector: {},
        settings: {},
      },
    });
  });

  it('change only what they name', () => {
    const choice = read({
      ...{ executor: 'job', cl2Image: 'cl2@sha256:' + 'a'.repeat(64), cl2HelperImage: 'busybox' },
      cl2Resources: 'memory-limit=4Gi,cpu=2',
      cl2NodeSelector: ['agentpool=load', 'example.com/x='],
    });
    expect(choice.settings).toMatchObject({
      resources: { cpu: '2', memory: '512Mi', memoryLimit: '4Gi' },
      nodeSelector: { agentpool: 'load', 'example.com/x': '' },
    });
  });

  it('fails for everything that is wrong, at once', () => {
    const found = refusals({
      executor: 'job',
      target: 'local',
      cl2Binary: 'f',
      cl2HelperImage: 'Not An Image',
      cl2Resources: 'cpu=much,disk=1Gi',
      cl2NodeSelector: ['load'],
      cl2Set: ['X=1'],
    });
    expect(found.map(({ code, given }) => `${code} ${given ?? ''}`)).toEqual([
      'cl2/bad-flag --cl2-set X=1',
      'cl2/bad-flag --cl2-binary with --executor job',
      'cl2/bad-flag --executor job with --target local',
      'cl2/no-image ',
      'cl2/bad-flag --cl2-helper-image Not An Image',
      'cl2/bad-flag --cl2-node-selector load',
      'cl2/bad-flag --cl2-resources cpu=much',
      'cl2/bad-flag --cl2-resources disk=1Gi',
    ]);
    for (const { exit, next } of found) {
      expect(exit).toBe('bad-input');
      expect(next).not.toBe('');
    }
  });

  it('fails for an executor that does not exist, with those that do', () => {
    const [error] = refusals({ executor: 'pod' });
    expect(error).toMatchObject({
      code: 'cl2/bad-flag',
      given: '--executor pod',
      expected: 'binary, container or job',
    });
  });

  it('fails for a missing image with how to name one', () => {
    const [error] = refusals({ executor: 'container' });
    expect(error).toMatchObject({
      code: 'cl2/no-image',
      problem: '--executor container runs ClusterLoader2 from an image, and none was named',
      next: 'give --cl2-image IMAGE, or set MESHSCALE_CL2_IMAGE',
    });
  });
});
