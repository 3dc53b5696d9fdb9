import { describe, expect, it } from '@jest/globals';
import { readCatalogueFile } from '../../../workload/measure/catalogue.js';
import { checkPromql } from '../../../workload/measure/promql.js';
import {
  inClusterSelection,
  renderExpression,
  stampedSelection,
} from '../../../workload/measure/selector.js';

describe('checking PromQL', () => {
  it('lists the series that an expression reads', () => {
    expect(
      checkPromql('sum by (le) (rate(a{b="c",d=~"x|y"}[5m])) / {__name__="e",f!="g"}'),
    ).toEqual({
      ok: true,
      selectors: [
        {
          metric: 'a',
          matchers: [
            { label: 'b', operator: '=', value: 'c' },
            { label: 'd', operator: '=~', value: 'x|y' },
          ],
        },
        {
          metric: 'e',
          matchers: [
            { label: '__name__', operator: '=', value: 'e' },
            { label: 'f', operator: '!=', value: 'g' },
          ],
        },
      ],
    });
  });

  it('takes a comma behind the last matcher, which an empty selection leaves', () => {
    expect(checkPromql('up{job="a",}').ok).toBe(true);
  });

  it.each([
    ['an expression that ends too early', 'sum(up', 'the expression ends too early'],
    ['a place in the middle', 'sum(rate(up[5m)))', 'not PromQL from column 15 on: )))'],
    ['an empty text', '  ', 'the expression is empty'],
    ['a placeholder that nobody filled', 'up{$selector}', 'not PromQL from column 4 on'],
  ])('fails on %s', (_, expression, problem) => {
    const checked = checkPromql(expression);
    expect(checked.ok ? '' : checked.problem).toContain(problem);
  });
});

describe('rendering a query as one expression', () => {
  const target = {
    selection: stampedSelection('mesh-001'),
    source: 'kvstoremesh' as const,
    window: '90000ms',
  };

  it('fills in the cluster, the component and the window', () => {
    const expr = 'max_over_time(x{$selector}[$window])';
    expect(renderExpression({ kind: 'promql', name: 'Max', expr }, target)).toBe(
      'max_over_time(x{cluster="mesh-001",component="kvstoremesh"}[90000ms])',
    );
  });

  it('needs no matcher in a Prometheus of the cluster itself', () => {
    const query = { kind: 'counter', name: 'Total', metric: 'x', take: 'increase' } as const;
    const inCluster = { ...target, selection: inClusterSelection, window: '%v' };
    expect(renderExpression(query, inCluster)).toBe('sum(increase(x{}[%v]))');
  });

  it('brings a scale with it', () => {
    const query = { kind: 'histogram', name: 'P', metric: 'x', take: { quantile: 0.9 } } as const;
    expect(renderExpression({ ...query, by: ['verb'] }, { ...target, scale: 1000 })).toBe(
      '(histogram_quantile(0.9, sum by (le, verb) (increase(' +
        'x_bucket{cluster="mesh-001",component="kvstoremesh"}[90000ms])))) * 1000',
    );
  });
});

describe('reading the catalogue', () => {
  const text = `schemaVersion: 1
group: g
doc: d
measurements:
  - id: A
    metricName: A
    method: GenericPrometheusQuery
    unit: s
    direction: lower
    source: etcd
    doc: d
    queries:
      - { kind: promql, name: V, expr: 'sum(a' }
      - { kind: counter, name: W, metric: a, take: increase, where: 'b=' }
  - id: A
    metricName: B
    method: GenericPrometheusQuery
    unit: s
    direction: lower
    source: etcd
    doc: d
    queries: []
`;

  it('fails on every expression that is not PromQL and on an id that is there twice', () => {
    const { errors } = readCatalogueFile(text, 'g.yaml');
    expect(errors.map(({ code, where }) => [code, where])).toEqual([
      ['scenario/duplicate', { file: 'g.yaml', line: 15, column: 9 }],
      ['scenario/bad-promql', { file: 'g.yaml', line: 13, column: 9 }],
      ['scenario/bad-promql', { file: 'g.yaml', line: 14, column: 9 }],
    ]);
  });

  it('fails on a component that it does not know', () => {
    const { errors } = readCatalogueFile(text.replace('source: etcd', 'source: etcdd'), 'g.yaml');
    expect(errors[0]).toMatchObject({ code: 'scenario/bad-field', given: '"etcdd"' });
  });
});
