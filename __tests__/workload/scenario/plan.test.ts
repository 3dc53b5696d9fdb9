import { describe, expect, it } from '@jest/globals';
import { RUN_ID } from '../../../model/run-plan.js';
import type { Inventory } from '../../../model/inventory.js';
import { seededRandom } from '../../../workload/platform/random.js';
import { loadScenario } from '../../../workload/scenario/load.js';
import { unmetNeeds } from '../../../workload/scenario/needs.js';
import { planRun } from '../../../workload/scenario/plan.js';
import { planText, readPlan } from '../../../workload/scenario/plan-file.js';
import { runId } from '../../../workload/scenario/run-id.js';
import { SMALL_CATALOGUE, SMALL_SCENARIO } from '../../helpers/small-scenario.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

const NOON = Date.UTC(2026, 4, 15, 12, 0, 0, 123);

function inventoryOf(count: number, change: Partial<Inventory> = {}): Inventory {
  return {
    schemaVersion: 1,
    target: 'local',
    meshName: 'test',
    createdAt: new Date(NOON).toISOString(),
    partial: false,
    expectedClusters: Math.max(1, count),
    network: { mode: 'local' },
    clusters: Array.from({ length: count }, (_, index) => ({
      role: `mesh-00${index + 1}`,
      number: index + 1,
      nodes: 20,
      podCidrs: [],
      nodeCidrs: [],
      serviceCidrs: [],
      podNetwork: 'none',
      datapath: false,
      components: { kvstoremesh: '1.20.2' },
      access: { kind: 'local', stateDir: 'mesh' },
    })),
    ...change,
  };
}

function plan(inventory: Inventory, settings: readonly string[] = [], text = SMALL_SCENARIO) {
  const result = loadScenario(text, 'scenario.yaml', SMALL_CATALOGUE);
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return planRun({
    loaded: result.loaded,
    catalogue: SMALL_CATALOGUE,
    inventory,
    settings,
    seed: 7,
    engine: 'native',
    versions: { meshscale: '0.1.0' },
    clock: createVirtualClock(NOON),
    random: seededRandom(1),
  });
}

function planOf(...args: Parameters<typeof plan>) {
  const result = plan(...args);
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return result.plan;
}

const TWO_MEASURED = SMALL_SCENARIO.replace(
  'measurements:\n',
  'measurements:\n  - { id: Agents, phase: hold, expected: { series: 1 } }\n',
);

describe('planning a run', () => {
  it('resolves every knob and counts the peers of these clusters', () => {
    const made = planOf(inventoryOf(3), ['replicas=4']);
    expect(made.scenario.objects[0]?.replicasPerDeployment).toBe(4);
    expect(made.knobs['replicas']).toEqual({ value: 4, set: true });
    expect(made.expected).toEqual([
      {
        id: 'Ready',
        measurement: 'Ready Clusters',
        queries: ['Min'],
        phase: 'load',
        through: 'hold',
        series: 2,
      },
    ]);
  });

  it('names the files that each cluster owes, and what its target cannot show', () => {
    const [cluster] = planOf(inventoryOf(2), [], TWO_MEASURED).clusters;
    expect(cluster).toEqual({
      role: 'mesh-001',
      files: ['junit.xml', 'GenericPrometheusQuery Ready Clusters_clustermesh-small'],
      notApplicable: [
        { id: 'Agents', reason: 'needs cilium-agent, which a local mesh does not have' },
      ],
    });
  });

  it('says that a release is too old for a measurement', () => {
    const old = inventoryOf(2);
    const clusters = old.clusters.map((one) => ({ ...one, components: { kvstoremesh: '1.9.4' } }));
    const [cluster] = planOf({ ...old, clusters }).clusters;
    expect(cluster?.notApplicable).toEqual([
      { id: 'Ready', reason: 'needs kvstoremesh 1.16 or newer; this cluster has 1.9.4' },
    ]);
  });

  it('is read back from its file as it was, with durations as text in between', () => {
    const made = planOf(inventoryOf(2));
    const text = planText(made);
    expect(text).toContain('"duration": "30s"');
    expect(readPlan(text, 'plan.json')).toEqual(made);
  });

  it('fails to read a plan of a version that it does not know, and says what to do', () => {
    const text = planText(planOf(inventoryOf(2))).replace(
      '"schemaVersion": 1',
      '"schemaVersion": 9',
    );
    expect(() => readPlan(text, 'plan.json')).toThrow(
      expect.objectContaining({
        code: 'run/plan-version',
        given: 'schemaVersion 9',
        expected: 'schemaVersion 1',
        next: expect.stringContaining('the meshscale release that wrote it'),
      }),
    );
  });

  it('fails to read a plan that is not one, with every problem at once', () => {
    expect(() => readPlan('{', 'plan.json')).toThrow('run/bad-plan');
    const text = planText(planOf(inventoryOf(2)))
      .replace('"seed": 7', '"seed": -1')
      .replace('"engine": "native"', '"engine": "steam"');
    expect(() => readPlan(text, 'plan.json')).toThrow(/engine: .*\n.*seed: /);
  });

  it('fails with every bad knob at once', () => {
    const result = plan(inventoryOf(2), ['replicas=0', 'holt=1s']);
    expect(result.ok ? [] : result.errors.map(({ code }) => code)).toEqual([
      'run/bad-knob-value',
      'run/unknown-knob',
    ]);
  });
});

describe('the id of a run', () => {
  it('has time, scenario and chance in it, and sorts by time', () => {
    const id = runId('first-look', NOON, seededRandom(1));
    expect(id).toMatch(/^20260515T120000Z-first-look-[a-z2-7]{4}$/);
    expect(id).toMatch(RUN_ID);
    expect(runId('a', NOON + 1_000, seededRandom(1)) > id).toBe(true);
  });
});

describe('the needs of a scenario', () => {
  it('are not met by too few clusters, without packets, without a fleet, or elsewhere', () => {
    const needs = ['clusters>=2', 'datapath', 'fleet', 'azure', 'nodes'];
    expect(unmetNeeds(needs, inventoryOf(1))).toEqual([
      { need: 'clusters>=2', reason: 'it needs 2 clusters, and there are 1' },
      { need: 'datapath', reason: 'no packet can flow in mesh-001' },
      { need: 'fleet', reason: 'the clusters are not in a fleet' },
      { need: 'azure', reason: 'the target is local, not azure' },
    ]);
  });

  it('stand in the plan without stopping it', () => {
    expect(planOf(inventoryOf(1)).unmetNeeds.map(({ need }) => need)).toEqual(['clusters>=2']);
  });
});
