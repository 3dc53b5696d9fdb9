import { catalogueOf, type Catalogue } from '../../workload/measure/catalogue.js';

/** A scenario file that is right; tests spoil one line of it. */
export const SMALL_SCENARIO = `schemaVersion: 1
name: small
short: sm
group: clustermesh-small
title: Small
question: Does it work?
needs: [clusters>=2]
knobs:
  replicas: { unit: count, default: 2, min: 1, max: 10, source: chosen, doc: Pods. }
  hold: { unit: duration, default: 30s, min: 10s, max: 5m, source: chosen, doc: Time. }
objects:
  - kind: workload
    namespaces: 1
    globalNamespaces: 1
    deploymentsPerNamespace: 1
    replicasPerDeployment: '\${replicas}'
    namespaceAnnotations: {}
    service: { type: headless, port: 80, annotations: {} }
    pod:
      image: pause
      requests: { cpu: 1m, memory: 5Mi }
      limits: { cpu: 5m, memory: 20Mi }
phases:
  - { name: load, kind: load, sync: barrier, action: { kind: create } }
  - { name: hold, kind: hold, sync: barrier, action: { kind: none }, duration: '\${hold}' }
faults: []
probes:
  - { id: idle, kind: propagation, observe: [service-backend], at: hold, count: 1, interval: 1s, budget: 1m }
measurements:
  - { id: Ready, phase: load, through: hold, expected: { series: '\${peers}' } }
verdict:
  rules:
    - { rule: value, measurement: Ready, query: Min, atLeast: 1 }
budget: 10m
`;

/** A catalogue with the measurements that the small scenario could ask for. */
export const SMALL_CATALOGUE: Catalogue = catalogueOf([
  {
    schemaVersion: 1,
    group: 'small',
    doc: 'small',
    measurements: [
      measurement('Ready', 'kvstoremesh', '1.16'),
      measurement('Agents', 'cilium-agent', undefined),
    ],
  },
]);

function measurement(id: string, source: 'kvstoremesh' | 'cilium-agent', minVersion?: string) {
  return {
    id,
    metricName: `${id} Clusters`,
    method: 'GenericPrometheusQuery' as const,
    unit: '#',
    direction: 'higher' as const,
    source,
    ...(minVersion === undefined ? {} : { minVersion }),
    doc: id,
    queries: [
      {
        kind: 'gauge' as const,
        name: 'Min',
        metric: 'ready',
        over: 'min' as const,
        across: 'sum' as const,
      },
    ],
  };
}
