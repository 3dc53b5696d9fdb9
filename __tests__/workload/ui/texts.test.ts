import { describe, expect, it } from '@jest/globals';
import { UserError } from '../../../model/user-error.js';
import { errorText } from '../../../model/error-text.js';
import { errorDocument } from '../../../workload/ui/error-document.js';
import { meshStatusText, type ShownStatus } from '../../../workload/ui/mesh-status-text.js';

describe('an error', () => {
  it('is shown with every part that it has, further lines below their label', () => {
    const error = new UserError('mesh/not-ready', 'infrastructure', {
      problem: 'it is not ready',
      given: 'one\ntwo',
      expected: 'three',
      next: 'wait',
      where: { file: 'a.yaml', line: 3 },
    });
    expect(errorText(error)).toBe(
      [
        'error mesh/not-ready: it is not ready',
        '  where:    a.yaml:3',
        '  given:    one',
        '            two',
        '  expected: three',
        '  next:     wait',
      ].join('\n'),
    );
    expect(errorDocument(error)).toEqual({
      code: 'mesh/not-ready',
      problem: 'it is not ready',
      given: 'one\ntwo',
      expected: 'three',
      next: 'wait',
      where: { file: 'a.yaml', line: 3 },
    });
  });

  it('shows no empty labels', () => {
    const error = new UserError('a/b', 'internal', { problem: 'p', next: 'n' });
    expect(errorText(error)).toBe('error a/b: p\n  next:     n');
  });
});

const status = (changes: Partial<ShownStatus> = {}): ShownStatus => ({
  stateDir: '/state',
  spec: { clusters: 2, nodes: 20 },
  state: 'complete',
  versions: { etcd: '3.6.12' },
  components: [
    { role: 'mesh-001', name: 'etcd', state: 'running', pid: 11 },
    { role: 'mesh-001', name: 'kwok', state: 'stopped', pid: 12 },
    { role: 'mesh', name: 'prometheus', state: 'not-started' },
  ],
  links: [
    { pair: 'mesh-001--mesh-002', state: 'synced' },
    { pair: 'mesh-002--mesh-001', state: 'unknown' },
  ],
  unrecorded: [],
  stoodIn: ['agents'],
  notShown: ['packets', 'eBPF'],
  ...changes,
});

describe('the status of a mesh', () => {
  it('names what is unwell and what cannot be shown', () => {
    expect(meshStatusText(status()).split('\n')).toEqual([
      'mesh      complete: 2 clusters × 20 nodes in /state',
      'links     1 of 2 synchronised: mesh-002--mesh-001 unknown',
      'mesh-001  etcd(11) kwok(12) STOPPED',
      'mesh      prometheus NOT-STARTED',
      '',
      'real      etcd 3.6.12',
      'stood in  agents',
      'not shown packets',
      '          eBPF',
    ]);
  });

  it('names processes that no record knows, and who is changing the mesh', () => {
    const text = meshStatusText(
      status({ unrecorded: ['mesh-001/etcd (7)'], changedBy: 'meshscale up (process 8)' }),
    );
    expect(text).toContain('left over mesh-001/etcd (7)\n          no record names these');
    expect(text).toContain('changing  meshscale up (process 8) is at work');
  });
});
