import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { collectRows } from '../../../workload/results/collect-run.js';
import { readRows } from '../../../workload/results/jsonl-store.js';
import { readRun } from '../../../workload/results/read-run.js';
import { SAMPLE_TIMESTAMP, writeSampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

describe('probes on clusters whose mesh etcd nobody may watch', () => {
  it('are not applicable: a peer that was not looked into has not failed', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good', 'good'] });
      await onKubeconfig(root);
      const file = join(root, 'out.jsonl');
      const { facts } = await readRun(root);
      const { verdict } = await collectRows(facts, file, { timestamp: SAMPLE_TIMESTAMP });
      const states = verdict.rules.map(({ kind, state }) => `${kind} ${state}`);
      expect(states).toEqual([
        'stimulus held',
        'seen not-applicable',
        'propagation not-applicable',
        'coverage held',
      ]);
      expect(verdict.judgement.verdict).toBe('pass');
      const probes = new Set<string>();
      for await (const line of readRows(file)) {
        if (line.ok && /Probe|Propagation/.test(line.row.measurement)) {
          probes.add(line.row.meshscale.state);
        }
      }
      expect([...probes]).toEqual(['not-applicable']);
    });
  });
});

/** As a run of today leaves it there: no floor, and every peer unseen with a reason. */
async function onKubeconfig(root: string): Promise<void> {
  const plan = join(root, 'plan.json');
  const access = '"access":{"kind":"kubeconfig","file":"f","context":"c"}';
  const text = await readFile(plan, 'utf8');
  await writeFile(plan, text.replaceAll(/"access":\{[^}]*\}/g, access));
  const probes = join(root, 'probes', 'changes.jsonl');
  const lines = (await readFile(probes, 'utf8')).trim().split('\n');
  const unseen = lines.map((line) => {
    const probe = JSON.parse(line) as Record<string, unknown>;
    return JSON.stringify({
      ...probe,
      removal_ms: undefined,
      propagation_ms: null,
      peer_timed_out: true,
      reason: 'no access',
    });
  });
  await writeFile(probes, `${unseen.join('\n')}\n`);
  await writeFile(join(root, 'probes', 'probe-floor.jsonl'), '');
}
