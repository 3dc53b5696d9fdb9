import { describe, expect, it } from '@jest/globals';
import { meshStatusText, type ShownStatus } from '../../../workload/ui/mesh-status-text.js';

const status = (changes: Partial<ShownStatus>): ShownStatus => ({
  stateDir: '/state',
  spec: { clusters: 2, nodes: 3 },
  state: 'unwell',
  versions: {},
  components: [{ role: 'mesh-002', name: 'kvstoremesh', state: 'gone' }],
  links: [{ pair: 'mesh-001--mesh-002', state: 'unknown' }],
  unrecorded: [],
  stoodIn: [],
  notShown: [],
  ...changes,
});

describe('the next step after a status', () => {
  it('is the repair of what is broken, and of nothing that follows from it', () => {
    const text = meshStatusText(status({}));
    expect(text).toContain('next      meshscale up repairs: kvstoremesh of mesh-002\n');
  });

  it('is none while the mesh is complete or somebody changes it', () => {
    expect(meshStatusText(status({ state: 'complete' }))).not.toContain('next');
    expect(meshStatusText(status({ changedBy: 'meshscale up' }))).not.toContain('next');
  });

  it('names the run that is at work, and one cluster as one', () => {
    const text = meshStatusText(
      status({ spec: { clusters: 1, nodes: 1 }, links: [], usedBy: 'run x (process 7)' }),
    );
    expect(text).toContain('1 cluster × 1 node in /state');
    expect(text).toContain('in use    run x (process 7)');
  });
});
