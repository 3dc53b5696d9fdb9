import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MAX_FILE_BYTES } from '../../../workload/results/read-plain-file.js';
import {
  collectFiles,
  collectFolder,
  GOOD_JUNIT,
  queryFile,
  writeFiles,
} from '../../helpers/report-folders.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const QUERY = 'GenericPrometheusQuery A Query_t_2026-05-15T03:00:00Z.json';
const OTHER = 'GenericPrometheusQuery Other_t_2026-05-15T03:00:00Z.json';
/** What the neighbours of whatever is damaged must still give. */
const WELL = {
  'mesh-1/junit.xml': GOOD_JUNIT,
  [`mesh-1/${OTHER}`]: queryFile('2'),
  'mesh-2/junit.xml': GOOD_JUNIT,
  [`mesh-2/${OTHER}`]: queryFile('3'),
};
const WELL_VALUES = ['mesh-1 Other: {"Perc99":2}', 'mesh-2 Other: {"Perc99":3}'];

const junit = (suites: string) => ({ ...WELL, 'mesh-1/junit.xml': suites });

/** The table of data/results-schema.md §4, and what must become of each case. */
describe('a cluster is a failure, and its neighbour is not,', () => {
  it.each([
    [
      'failures in the second of several suites',
      '<testsuites><testsuite><testcase name="a"/></testsuite><testsuite failures="1"><testcase name="b"><failure>late</failure></testcase></testsuite></testsuites>',
      'b: late',
    ],
    [
      'errors although failures are 0',
      '<testsuite errors="1" failures="0"><testcase name="a"><error>gone</error></testcase></testsuite>',
      'a: gone',
    ],
    [
      'errors that no case shows',
      '<testsuite errors="1" failures="0"><testcase name="a"/></testsuite>',
      '1 cases failed',
    ],
    [
      'an empty failure',
      '<testsuite failures="1"><testcase name="a"><failure/></testcase></testsuite>',
      'a: failed without a text',
    ],
    [
      'a failure with nothing but a message',
      '<testsuite failures="1"><testcase name="a"><failure message="why"/></testcase></testsuite>',
      'a: why',
    ],
    [
      'a failing case that the suite does not count',
      '<testsuite failures="0"><testcase name="a"><failure>x</failure></testcase></testsuite>',
      'a: x',
    ],
    [
      'every failing case, not only the first',
      '<testsuite failures="2"><testcase name="a"><failure>x</failure></testcase><testcase name="b"><failure>y</failure></testcase></testsuite>',
      'a: x\nb: y',
    ],
    [
      'a junit that is cut off',
      '<testsuite failures="0"><testcase name="a"/><testca',
      'junit.xml cannot be read',
    ],
    ['an empty junit', '', 'junit.xml cannot be read'],
    ['a junit without a case', '<testsuite failures="0"/>', 'holds no test case'],
    [
      'entities that grow',
      '<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "cc">]><testsuite>&b;</testsuite>',
      'declares entities',
    ],
    ['a junit nested without end', '<testsuite>'.repeat(100_000), 'nested deeper'],
  ])('of %s', async (_, text, reason) => {
    const { status, values } = await collectFiles(junit(text));
    expect(status.get('mesh-1')).toMatchObject({ status: 'failure' });
    expect(status.get('mesh-1')?.meshscale.reason).toContain(reason);
    expect(status.get('mesh-2')).toMatchObject({ status: 'success' });
    expect(values).toEqual(WELL_VALUES);
  });

  it('of a junit that is not there', async () => {
    const files = Object.fromEntries(
      Object.entries(WELL).filter(([path]) => path !== 'mesh-1/junit.xml'),
    );
    const { status, values } = await collectFiles(files);
    expect(status.get('mesh-1')?.meshscale.reason).toContain('left no junit.xml');
    expect(values).toEqual(WELL_VALUES);
  });

  it('of a folder that is not there, when an inventory expects the cluster', async () => {
    const inventory = inventoryOf(['mesh-1', 'mesh-2', 'mesh-3']);
    const { status, values } = await collectFiles(WELL, { inventory });
    expect(status.get('mesh-3')).toMatchObject({ status: 'failure' });
    expect(status.get('mesh-3')?.meshscale.reason).toContain('no attempt was made');
    expect(values).toEqual(WELL_VALUES);
  });

  it('of a runner that failed although every case passed, and both are told', async () => {
    const files = { ...WELL, 'mesh-1/worker-status-mesh-1.json': '{"exit_code":137}' };
    const { status, values } = await collectFiles(files);
    expect(status.get('mesh-1')).toMatchObject({ status: 'failure' });
    expect(status.get('mesh-1')?.result['data']).toMatchObject({
      worker_exit_code: 137,
      failures: 0,
      cases: 1,
    });
    expect(values).toEqual(WELL_VALUES);
  });
});

describe('a measurement file costs only itself', () => {
  it.each([
    ['cut off', '{"version":"v1","dataItems":[{"da', 'not JSON'],
    ['empty', '', 'the file is empty'],
    ['a list where items should be objects', '{"dataItems":[[1]]}', 'dataItems[0] is no object'],
    ['labels that are no object', '{"dataItems":[{"data":{"a":1},"labels":[1]}]}', '.labels'],
    ['nested without end', '['.repeat(200_000) + ']'.repeat(200_000), 'nested deeper than 64'],
  ])('when it is %s', async (_, text, reason) => {
    const { values, status, collected, rows } = await collectFiles({
      ...WELL,
      [`mesh-1/${QUERY}`]: text,
    });
    expect(values).toEqual(WELL_VALUES);
    expect(collected.malformed).toEqual([expect.stringContaining(reason)]);
    expect(JSON.stringify(status.get('mesh-1')?.result)).toContain(QUERY);
    expect(status.get('mesh-1')?.status).toBe('success');
    expect(rows.some(({ cluster }) => cluster === 'mesh-2')).toBe(true);
  });

  it('when it is larger than anything that is read', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFiles(folder, WELL);
      const file = join(folder, 'mesh-1', QUERY);
      await writeFile(file, '{');
      await truncate(file, MAX_FILE_BYTES + 1);
      const { values, collected } = await collectFolder(folder);
      expect(values).toEqual(WELL_VALUES);
      expect(collected.unknown[0]).toContain('bytes, more than');
    });
  });

  it.each(['NaN', '-Infinity', '1e999', '"+Inf"'])(
    'and its value is null when it is %s',
    async (value) => {
      const { values } = await collectFiles({ ...WELL, [`mesh-1/${QUERY}`]: queryFile(value) });
      expect(values).toEqual(['mesh-1 A Query missing: {"Perc99":null}', ...WELL_VALUES]);
    },
  );

  it.each(['null', '[]'])('and has a coverage row when its items are %s', async (items) => {
    const files = { ...WELL, [`mesh-1/${QUERY}`]: `{"version":"v1","dataItems":${items}}` };
    const { rows } = await collectFiles(files);
    const coverage = rows.find(
      ({ measurement, result }) =>
        measurement === 'MeasurementCoverage' && JSON.stringify(result).includes('A Query'),
    );
    expect(coverage?.meshscale).toMatchObject({
      state: 'empty',
      coverage: { expected: 1, present: 0, empty: 1 },
    });
  });
});

describe('what must not be followed or opened', () => {
  it('is every link: to a file, a report, a cluster, a pipe', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFiles(folder, {
        ...WELL,
        'secret/junit.xml': GOOD_JUNIT,
        secret2: queryFile('666'),
      });
      const clusters = join(folder, 'clusters');
      await writeFiles(clusters, WELL);
      await symlink(join(folder, 'secret2'), join(clusters, 'mesh-1', QUERY));
      await symlink(join(folder, 'secret'), join(clusters, 'mesh-3'));
      await mkdir(join(clusters, 'mesh-4'));
      await symlink(join(folder, 'secret/junit.xml'), join(clusters, 'mesh-4/junit.xml'));
      const { values, collected, status } = await collectFolder(clusters);
      expect(values).toEqual(WELL_VALUES);
      expect(status.has('mesh-3')).toBe(false);
      expect(status.get('mesh-4')?.meshscale.reason).toContain('a link, which is not followed');
      expect(JSON.stringify(collected)).not.toContain(folder);
    });
  });

  it('is a folder named like a file, and logs', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFiles(folder, {
        ...WELL,
        'mesh-1/engine.log': '0',
        'mesh-1/prom-snapshot-a-1.tar.gz': '0',
      });
      await truncate(join(folder, 'mesh-1/engine.log'), 2 ** 40);
      await mkdir(join(folder, 'mesh-1', QUERY));
      const { values, collected } = await collectFolder(folder);
      expect(values).toEqual(WELL_VALUES);
      expect(collected.unknown).toEqual([]);
    });
  });

  it('is listed when nobody knows it', async () => {
    const { collected } = await collectFiles({
      ...WELL,
      'mesh-1/notes.bin': 'x',
      'mesh-2/a b.json': '{}',
    });
    expect(collected.unknown).toEqual([
      'mesh-1/notes.bin: no name that we know',
      'mesh-2/a b.json: no name that we know',
    ]);
  });
});

function inventoryOf(roles: readonly string[]) {
  return {
    schemaVersion: 1 as const,
    target: 'kubeconfig' as const,
    meshName: 'm',
    createdAt: '2026-05-15T03:00:00Z',
    partial: false,
    expectedClusters: roles.length,
    network: { mode: 'none' as const },
    clusters: roles.map((role, index) => ({
      role,
      number: index + 1,
      nodes: 1,
      podCidrs: [],
      nodeCidrs: [],
      serviceCidrs: [],
      podNetwork: 'none' as const,
      datapath: false,
      access: { kind: 'kubeconfig' as const, file: 'f', context: role },
    })),
  };
}
