import { describe, expect, it } from '@jest/globals';
import type { Scenario } from '../../../model/scenario-spec.js';
import { ceilingOf } from '../../../workload/report/ceiling.js';
import { limiterRates } from '../../../workload/report/limiter-rates.js';
import { restartDemands } from '../../../workload/report/restart-demand.js';

const CHART = { exporterPerSecond: 20, kvstoremeshPerSecond: 100 };

describe('what a restart asks of the mesh', () => {
  it('is two keys for each replaced pod of a global namespace', () => {
    expect(restartDemands(scenario(5), CHART, 2)).toEqual([
      { phase: 'burst', pods: 200, keys: 400, drainSeconds: 19 },
    ]);
  });

  it.each([
    [2, 19],
    [6, 19],
    [20, 75],
  ])('takes its time with %s clusters: the slower limiter decides', (clusters, seconds) => {
    expect(restartDemands(scenario(5), CHART, clusters)[0]?.drainSeconds).toBe(seconds);
  });

  it('takes no known time without rates, and asks nothing when nothing is global', () => {
    expect(restartDemands(scenario(5), undefined, 2)[0]?.drainSeconds).toBeUndefined();
    expect(restartDemands(scenario(0), CHART, 2)).toEqual([]);
  });
});

describe('the limiters', () => {
  const values = [value('Mean', 7.3), value('Max', 11.6), value('TotalIncrease', 800)];

  it('stand beside what they let through, in one unit', () => {
    expect(limiterRates(ceilingOf(CHART, 2), values)).toEqual([
      {
        stage: 'exporter',
        limit: 20,
        rates: [{ cluster: 'mesh-001', asked: null, achieved: 7.3, peak: 11.6 }],
      },
    ]);
  });

  it('have no limit on a target whose rates nobody knows', () => {
    expect(limiterRates(undefined, values)[0]?.limit).toBeUndefined();
  });
});

function value(query: string, number: number) {
  return {
    measurement: 'ClusterMesh Exporter Operation Rate',
    query,
    unit: 'operations/s',
    labels: '',
    byCluster: [{ cluster: 'mesh-001', value: number }],
  };
}

function scenario(globalNamespaces: number): Scenario {
  const resources = { cpu: '1m', memory: '5Mi' };
  return {
    schemaVersion: 1,
    name: 'a',
    short: 'a',
    group: 'a',
    title: 'A',
    question: 'A?',
    needs: [],
    knobs: {},
    objects: [
      {
        kind: 'workload',
        namespaces: 5,
        globalNamespaces,
        deploymentsPerNamespace: 4,
        replicasPerDeployment: 10,
        namespaceAnnotations: {},
        service: { type: 'headless', port: 80, annotations: {} },
        pod: { image: 'pause', requests: resources, limits: resources },
      },
    ],
    phases: [
      { name: 'load', kind: 'load', sync: 'barrier', action: { kind: 'create' } },
      { name: 'burst', kind: 'burst', sync: 'barrier', action: { kind: 'restart', times: 1 } },
    ],
    faults: [],
    probes: [],
    measurements: [],
    verdict: { rules: [] },
    budget: 60_000,
  };
}
