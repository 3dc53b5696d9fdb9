import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { KWOK_STAGES } from '../../../local/components/kwok-stages.js';

const stageSchema = z.object({
  apiVersion: z.literal('kwok.x-k8s.io/v1alpha1'),
  kind: z.literal('Stage'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    resourceRef: z.object({ apiGroup: z.literal('v1'), kind: z.string() }),
    next: z.object({ statusTemplate: z.string().optional(), delete: z.boolean().optional() }),
  }),
});

const stages = () =>
  parseAllDocuments(KWOK_STAGES).map((document) => {
    if (!('errors' in document)) throw new Error('no document');
    expect(document.errors).toEqual([]);
    return stageSchema.parse(document.toJS());
  });

describe('what KWOK is told to do', () => {
  it('is three stages, each a valid document', () => {
    expect(stages().map(({ metadata }) => metadata.name)).toEqual([
      'node-becomes-ready',
      'pod-runs',
      'pod-goes',
    ]);
  });

  it('balances every block of its templates', () => {
    for (const { spec } of stages()) {
      const template = spec.next.statusTemplate ?? '';
      const opened = template.match(/{{ (range|with|if) /g) ?? [];
      const closed = template.match(/{{ end }}/g) ?? [];
      expect(closed).toHaveLength(opened.length);
    }
  });
});
