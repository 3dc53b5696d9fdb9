import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  labelList,
  labelSetKey,
  labelSetKeyOfList,
  securityLabels,
  securityLabelsOf,
} from '../../../local/agent-controller/identity-labels.js';

const subject = (podLabels: Record<string, string>) => ({
  podLabels,
  namespace: 'shop',
  namespaceLabels: { 'kubernetes.io/metadata.name': 'shop', team: 'red' },
  serviceAccount: 'default',
  clusterName: 'mesh-001',
});

describe('security labels', () => {
  it('are the pod’s own, the namespace with its labels, the service account and the cluster', () => {
    expect(securityLabels(subject({ app: 'web' }))).toEqual({
      'k8s:app': 'web',
      'k8s:io.cilium.k8s.namespace.labels.kubernetes.io/metadata.name': 'shop',
      'k8s:io.cilium.k8s.namespace.labels.team': 'red',
      'k8s:io.cilium.k8s.policy.cluster': 'mesh-001',
      'k8s:io.cilium.k8s.policy.serviceaccount': 'default',
      'k8s:io.kubernetes.pod.namespace': 'shop',
    });
  });

  it.each([
    'pod-template-hash',
    'pod-template-generation',
    'controller-revision-hash',
    'controller-uid',
    'statefulset.kubernetes.io/pod-name',
    'apps.kubernetes.io/pod-index',
    'batch.kubernetes.io/job-completion-index',
    'batch.kubernetes.io/controller-uid',
    'topology.kubernetes.io/zone',
    'beta.kubernetes.io/arch',
    'failure-domain.beta.kubernetes.io/zone',
    'kubernetes.io/hostname',
    'io.kubernetes.container.name',
    'k8s.io/x',
    'annotation.x',
    'etcd_node',
  ])('leave out %s', (key) => {
    expect(securityLabels(subject({ [key]: 'x' }))).toEqual(securityLabels(subject({})));
  });

  it.each(['app.kubernetes.io/name', 'k8s-app', 'batch.kubernetes.io/job-name', 'tier'])(
    'keep %s',
    (key) => {
      expect(securityLabels(subject({ [key]: 'x' }))[`k8s:${key}`]).toBe('x');
    },
  );

  it('do not let a pod claim another namespace, account or cluster', () => {
    const claimed = {
      'io.kubernetes.pod.namespace': 'bank',
      'io.cilium.k8s.policy.cluster': 'mesh-002',
      'io.cilium.k8s.policy.serviceaccount': 'root',
      'io.cilium.k8s.namespace.labels.team': 'blue',
    };
    expect(securityLabels(subject(claimed))).toEqual(securityLabels(subject({})));
  });

  it('have one key whatever the order, and come back from it', () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
    const value = fc.stringMatching(/^[a-z0-9._-]{0,10}$/);
    fc.assert(
      fc.property(fc.dictionary(key, value), (podLabels) => {
        const turned = Object.fromEntries(Object.entries(podLabels).reverse());
        const labels = securityLabels(subject(podLabels));
        const set = labelSetKey(labels);
        expect(labelSetKey(securityLabels(subject(turned)))).toBe(set);
        expect(labelSetKeyOfList([...labelList(labels)].reverse())).toBe(set);
        expect(securityLabelsOf(set)).toEqual(labels);
      }),
    );
  });

  it('are written as the exporter writes them to etcd', () => {
    expect(labelSetKey({ 'k8s:b': '2', 'k8s:a': '1' })).toBe('k8s:a=1;k8s:b=2;');
  });
});
