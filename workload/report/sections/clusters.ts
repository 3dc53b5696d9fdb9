import { clusterTitle } from '../../../model/inventory.js';
import { linkState, meshMap } from '../charts/mesh-map.js';
import { chart, table } from '../charts/chart-frame.js';
import { countText } from '../format.js';
import { html, type Html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportCluster, ReportModel } from '../report-model.js';
import { legend, tag } from './pieces.js';

/** The mesh: clusters, links between them, and how each is. */
export function clustersSection({ clusters, links }: ReportModel): Section {
  const crossed = links.filter((link) => link.asked > 0);
  const good = links.filter((link) => linkState(link) === 'good').length;
  const text = `${countText(clusters.length, 'cluster')}, ${countText(links.length, 'directed link')}; ${good} of ${crossed.length} probed links carried every probe`;
  const caption = html`Each arrow is one direction: changes of its start, seen at its
  tip.${clusters.length > 24 ? ' Only links that are not well are drawn.' : ''}`;
  const body = html`<p class="lead">${text}.</p>
    ${chart({
      label: `Map of the mesh: ${text}.`,
      draw: (width) => meshMap(clusters, links, width),
      caption,
      table: clusterTable(clusters),
    })}
    ${legend([
      { name: 'every probe seen', key: 'pass', stroke: true },
      { name: 'some lost', key: 'invalid', stroke: true, dash: 'dashed' },
      { name: 'none seen', key: 'fail', stroke: true, dash: 'dotted' },
      { name: 'not probed', key: 'line', stroke: true },
    ])}`;
  return { id: 'mesh', title: 'Mesh', body };
}

function clusterTable(clusters: readonly ReportCluster[]): Html {
  return table(
    'Clusters',
    ['Cluster', 'Verdict', 'Attempts', 'Nodes', 'Kubernetes', 'Cilium'],
    clusters.map(({ role, judgement, attempts, facts }) => [
      facts === undefined ? role : clusterTitle(facts),
      tag(judgement.verdict),
      String(attempts),
      facts === undefined ? 'unknown' : String(facts.nodes),
      facts?.kubernetesVersion ?? 'unknown',
      facts?.ciliumVersion ?? 'unknown',
    ]),
  );
}
