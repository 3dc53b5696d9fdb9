import { html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportModel } from '../report-model.js';

/** What of this run was real, and what its target cannot show. */
export function limitsSection(model: ReportModel): Section {
  const { real, not } = limitsOf(model.target);
  const datapath = model.clusters.some((cluster) => cluster.facts?.datapath === true);
  const versions = Object.entries(model.versions);
  const body = html`<div class="two">
      <div>
        <h3>Real</h3>
        <ul class="plain">
          ${real.map((line) => html`<li>${line}</li>`)}
        </ul>
      </div>
      <div>
        <h3>Not shown by this target</h3>
        <ul class="plain">
          ${(datapath || model.target === 'local' ? not : [...not, NO_DATAPATH]).map(
            (line) => html`<li>${line}</li>`,
          )}
        </ul>
      </div>
    </div>
    <h3>Made with</h3>
    <ul class="plain">
      <li>
        Target <code>${model.target}</code>, engine
        <code>${model.engine}</code>${model.seed === undefined ? '' : `, seed ${model.seed}`}
      </li>
      <li>${model.workload}</li>
      ${
        versions.length === 0
          ? undefined
          : html`<li>${versions.map(([name, version]) => `${name} ${version}`).join(' · ')}</li>`
      }
      <li>Run <code>${model.runId}</code></li>
    </ul>`;
  return { id: 'limits', title: 'What is real, and what this cannot show', body };
}

const NO_DATAPATH = 'No cluster of this run has a data path: nothing is said about packets.';

/** @see data/local-engines.md, design.md §5 */
function limitsOf(target: string): {
  readonly real: readonly string[];
  readonly not: readonly string[];
} {
  if (target !== 'local') {
    return {
      real: ['Clusters, control planes, mesh and agents are those of the target.'],
      not: ['What no measurement of this run looks at; the coverage section lists it.'],
    };
  }
  return {
    real: [
      'etcd, kube-apiserver, controller-manager and scheduler of every cluster.',
      'Cilium’s clustermesh-apiserver and kvstoremesh with their rate limits: the path that a change takes from cluster to cluster.',
      'Every time shown: taken by watches on real components, with one clock.',
    ],
    not: [
      'Packets. Pods have no network: nothing is said about connectivity, latency or throughput of traffic.',
      'eBPF maps and programs, policy enforcement, map pressure: no agent programs a data path.',
      'The agents themselves: their objects (CiliumEndpoint, CiliumIdentity, CiliumNode) are written by a stand-in, and what an agent does after the cache is not measured.',
      'Real nodes and kubelets: KWOK makes pods ready at once, so pod startup is not that of a node.',
      'Several machines: all clusters share the CPU, memory and disk of one.',
    ],
  };
}
