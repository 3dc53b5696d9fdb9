import { describe, expect, it } from '@jest/globals';
import {
  ciliumEndpoint,
  ciliumIdentity,
  ciliumNode,
  requestBody,
} from '../../../local/agent-controller/cilium-objects.js';
import { nodeView, podView } from '../../../local/agent-controller/cluster-views.js';
import { ownAddresses } from '../../../local/agent-controller/node-addresses.js';

const pod = (spec: object, status: object) =>
  podView({
    metadata: { name: 'web-1', namespace: 'shop', uid: 'u1', labels: { app: 'web' } },
    spec: {
      containers: [
        { name: 'c', ports: [{ containerPort: 1 }, { name: 'web', containerPort: 80 }] },
        { name: 'd', ports: [{ name: 'dns', containerPort: 53, protocol: 'UDP' }] },
      ],
      ...spec,
    },
    status,
  });
const running = { phase: 'Running', hostIP: '10.1.0.4', podIP: '10.1.16.1' };

describe('a pod', () => {
  it.each([
    ['without an address', {}, { phase: 'Pending' }],
    ['on the host’s network', { hostNetwork: true }, running],
    ['that has succeeded', {}, { ...running, phase: 'Succeeded' }],
    ['that has failed', {}, { ...running, phase: 'Failed' }],
  ])('%s has no endpoint', (_name, spec, status) => {
    expect(pod(spec, status)).toBeUndefined();
  });

  it('gives an endpoint with its address, host, identity and named ports', () => {
    const view = pod({}, running);
    if (view === undefined) throw new Error('there is a view');
    const body = requestBody(ciliumEndpoint(view, 65_800, { 'k8s:app': 'web' }));
    expect(body).toMatchObject({
      apiVersion: 'cilium.io/v2',
      kind: 'CiliumEndpoint',
      metadata: {
        name: 'web-1',
        namespace: 'shop',
        labels: { app: 'web' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web-1', uid: 'u1' }],
      },
      status: {
        identity: { id: 65_800, labels: ['k8s:app=web'] },
        networking: { addressing: [{ ipv4: '10.1.16.1' }], node: '10.1.0.4' },
        'named-ports': [
          { name: 'dns', port: 53, protocol: 'UDP' },
          { name: 'web', port: 80, protocol: 'TCP' },
        ],
        state: 'ready',
      },
    });
  });

  it('pairs the addresses of both families', () => {
    const both = { ...running, podIPs: [{ ip: '10.1.16.1' }, { ip: 'fd00::1' }] };
    const view = pod({}, both);
    if (view === undefined) throw new Error('there is a view');
    expect(ciliumEndpoint(view, 1, {}).payload['networking']).toMatchObject({
      addressing: [{ ipv4: '10.1.16.1', ipv6: 'fd00::1' }],
    });
  });
});

describe('a node', () => {
  const view = (status: object, spec: object = { podCIDR: '10.1.16.0/24' }) =>
    nodeView({
      metadata: {
        name: 'n',
        uid: 'u',
        labels: { a: 'b' },
        annotations: { 'network.cilium.io/x': '1', other: '2' },
      },
      spec,
      status,
    });
  const addresses = [
    { type: 'Hostname', address: 'n' },
    { type: 'InternalIP', address: '10.1.0.4' },
    { type: 'InternalIP', address: '10.1.0.5' },
  ];

  it('gives a CiliumNode with its first address, two of its pod range and Cilium’s annotations', () => {
    const node = view({ addresses, nodeInfo: { bootID: 'boot' } });
    if (node === undefined) throw new Error('there is a view');
    expect(ciliumNode(node)).toMatchObject({
      annotations: { 'network.cilium.io/x': '1' },
      owner: { kind: 'Node', name: 'n', uid: 'u' },
      payload: {
        addresses: [
          { type: 'InternalIP', ip: '10.1.0.4' },
          { type: 'CiliumInternalIP', ip: '10.1.16.254' },
        ],
        ipam: { podCIDRs: ['10.1.16.0/24'] },
        health: { ipv4: '10.1.16.253' },
        bootid: 'boot',
      },
    });
  });

  it('waits for an address, and does without a pod range', () => {
    const without = view({ addresses: addresses.slice(0, 1) });
    const rangeless = view({ addresses }, {});
    if (without === undefined || rangeless === undefined) throw new Error('there are views');
    expect(ciliumNode(without)).toBeUndefined();
    expect(ciliumNode(rangeless)?.payload).toMatchObject({ ipam: { podCIDRs: [] }, health: {} });
  });

  it('spares two addresses only where there are more', () => {
    expect(ownAddresses(['10.1.16.8/29'])).toEqual({
      internal: '10.1.16.14',
      health: '10.1.16.13',
    });
    expect(ownAddresses(['10.1.16.8/30'])).toBeUndefined();
    expect(ownAddresses(['fd00::/64'])).toBeUndefined();
  });
});

describe('an identity', () => {
  it('labels itself with what a label can hold and keeps all of them inside', () => {
    const labels = {
      'k8s:app': 'web',
      'k8s:io.cilium.k8s.namespace.labels.team': 'red',
      'k8s:io.cilium.k8s.policy.serviceaccount': 'x'.repeat(64),
    };
    expect(requestBody(ciliumIdentity(65_800, labels))).toEqual({
      apiVersion: 'cilium.io/v2',
      kind: 'CiliumIdentity',
      metadata: { name: '65800', labels: { app: 'web' } },
      'security-labels': labels,
    });
  });
});
