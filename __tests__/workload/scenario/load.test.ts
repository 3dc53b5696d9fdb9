import { beforeAll, describe, expect, it } from '@jest/globals';
import { placeText, type UserError } from '../../../model/user-error.js';
import { loadCatalogue, type Catalogue } from '../../../workload/measure/catalogue.js';
import { findScenario, scenarioNames } from '../../../workload/scenario/catalog.js';
import { shippedFolders } from '../../../workload/scenario/folders.js';
import { loadScenario, resolveScenario } from '../../../workload/scenario/load.js';
import { SMALL_CATALOGUE, SMALL_SCENARIO } from '../../helpers/small-scenario.js';

/** For a machine that is busy with other things. */
const PATIENCE = 60_000;

function load(text: string) {
  return loadScenario(text, 'small/scenario.yaml', SMALL_CATALOGUE);
}

function errorsOf(from: string, to: string): readonly UserError[] {
  expect(SMALL_SCENARIO).toContain(from);
  const result = load(SMALL_SCENARIO.replace(from, to));
  return result.ok ? [] : result.errors;
}

function lineOf(text: string): number {
  return SMALL_SCENARIO.split('\n').findIndex((line) => line.includes(text)) + 1;
}

describe('loading a scenario', () => {
  it('puts the defaults of knobs in the place of their names, durations in milliseconds', () => {
    const result = load(SMALL_SCENARIO);
    if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
    const { scenario } = result.loaded;
    expect(scenario.objects[0]?.replicasPerDeployment).toBe(2);
    expect(scenario.phases[1]?.duration).toBe(30_000);
    expect(scenario.measurements[0]?.expected.series).toBe(1);
  });

  it('resolves other values and the number of peers without reading the file again', () => {
    const result = load(SMALL_SCENARIO);
    if (!result.ok) throw new Error('refused');
    const values = { replicas: 7, hold: '2m' };
    const resolved = resolveScenario(result.loaded, values, { clusters: 5, peers: 4 });
    if (!resolved.ok) throw new Error('refused');
    expect(resolved.scenario.objects[0]?.replicasPerDeployment).toBe(7);
    expect(resolved.scenario.phases[1]?.duration).toBe(120_000);
    expect(resolved.scenario.measurements[0]?.expected.series).toBe(4);
  });

  it('fails on an unknown key with its line and the nearest key', () => {
    const [error] = errorsOf('question: Does', 'qestion: Does');
    expect(error?.code).toBe('scenario/bad-field');
    const all = errorsOf('question: Does', 'qestion: Does').map(({ problem }) => problem);
    expect(all).toContain('unknown key "qestion"');
    const unknown = errorsOf('    namespaces: 1', '    namespacez: 1').find(({ problem }) =>
      problem.startsWith('unknown'),
    );
    expect(unknown).toMatchObject({
      given: 'namespacez',
      expected: '"namespaces"',
      where: { file: 'small/scenario.yaml', line: lineOf('    namespaces: 1'), column: 5 },
    });
  });

  it('fails on an unknown knob with its line and the nearest knob', () => {
    const errors = errorsOf("'${replicas}'", "'${replica}'");
    const unknown = errors.find(({ code }) => code === 'scenario/unknown-name');
    expect(unknown).toMatchObject({ given: 'replica', expected: 'replicas' });
    expect(unknown?.where).toMatchObject({ line: lineOf('replicasPerDeployment') });
    expect(errors.map(({ code }) => code).sort()).toEqual([
      'scenario/unknown-name',
      'scenario/unused-knob',
    ]);
  });

  it.each([
    ['a knob of another unit', "'${replicas}'", "'${hold}'"],
    ['text around a knob', "'${replicas}'", "'${replicas} pods'"],
    ['a bare number as a duration', 'interval: 1s', 'interval: 1'],
    ['an unknown kind of phase', 'kind: hold,', 'kind: wait,'],
    ['an unknown action', '{ kind: create }', '{ kind: make }'],
    ['a missing field', 'title: Small\n', ''],
    ['a version that it does not know', 'schemaVersion: 1', 'schemaVersion: 2'],
    ['an unknown need', 'clusters>=2', 'clusters>2'],
  ])('fails on %s', (_, from, to) => {
    const codes = errorsOf(from, to).map(({ code }) => code);
    expect(codes).toContain('scenario/bad-field');
  });

  it.each([
    ['phase of a probe', 'at: hold', 'at: holt', 'hold'],
    ['phase of a measurement', 'phase: load', 'phase: loud', 'load'],
    ['measurement', 'id: Ready', 'id: Redy', 'Ready'],
    ['measurement in a rule', 'measurement: Ready', 'measurement: Readi', 'Ready'],
    ['query in a rule', 'query: Min', 'query: Mim', 'Min'],
  ])('fails on an unknown %s with the nearest one', (_, from, to, nearest) => {
    const unknown = errorsOf(from, to).find(({ code }) => code === 'scenario/unknown-name');
    expect(unknown?.expected).toBe(nearest);
    expect(placeText(unknown?.where ?? { path: '' })).toMatch(/^small\/scenario.yaml:\d+:\d+$/);
  });

  it('fails on a knob that nothing refers to, and on a default out of its bounds', () => {
    expect(errorsOf("duration: '${hold}'", 'duration: 30s')[0]).toMatchObject({
      code: 'scenario/unused-knob',
      where: { line: lineOf('  hold: {') },
    });
    expect(errorsOf('default: 2,', 'default: 11,')[0]).toMatchObject({
      code: 'scenario/bad-knob',
      given: '11',
      expected: 'a whole number from 1 to 10',
    });
  });

  it('fails on two phases of one name, and on a window that ends before it begins', () => {
    const twice = errorsOf('name: hold, kind: hold', 'name: load, kind: hold');
    expect(twice.map(({ code }) => code)).toContain('scenario/duplicate');
    const backwards = errorsOf('phase: load, through: hold', 'phase: hold, through: load');
    expect(backwards[0]).toMatchObject({ given: 'load', expected: 'hold or a later phase' });
  });

  it('fails with all problems at once', () => {
    const spoiled = SMALL_SCENARIO.replace('short: sm', 'short: SM')
      .replace('interval: 1s', 'interval: 1')
      .replace('budget: 10m', 'budget: soon');
    const result = load(spoiled);
    expect(result.ok ? [] : result.errors).toHaveLength(3);
  });

  it('fails on what is no YAML, with its line', () => {
    const result = load(SMALL_SCENARIO.replace('needs: [clusters>=2]', 'needs: [clusters>=2'));
    expect(result.ok ? [] : result.errors.map(({ code }) => code)).toContain('scenario/not-yaml');
  });
});

describe('the scenarios that come with it', () => {
  let directory: string;
  let catalogue: Catalogue;

  beforeAll(async () => {
    const { scenarios, measurements } = shippedFolders();
    directory = scenarios;
    catalogue = await loadCatalogue(measurements);
  }, PATIENCE);

  it.each(['event-throughput', 'first-look', 'propagation-probe'])(
    '%s is all right and named like its folder',
    async (name) => {
      expect(await scenarioNames(directory)).toContain(name);
      const { scenario } = await findScenario(directory, name, catalogue);
      expect(scenario.name).toBe(name);
    },
    PATIENCE,
  );

  it(
    'let first-look make 200 pods and 20 global Services, and probe 20 times',
    async () => {
      const { scenario } = await findScenario(directory, 'first-look', catalogue);
      const [load] = scenario.objects;
      if (load === undefined) throw new Error('no workload');
      const services = load.globalNamespaces * load.deploymentsPerNamespace;
      expect([services, services * load.replicasPerDeployment]).toEqual([20, 200]);
      expect(scenario.probes.reduce((sum, { count }) => sum + count, 0)).toBe(20);
    },
    PATIENCE,
  );

  it('fails on a name that is none, with the nearest', async () => {
    await expect(findScenario(directory, 'first-lok', catalogue)).rejects.toMatchObject({
      code: 'scenario/unknown',
      expected: 'first-look',
    });
  });
});
