import { table } from '../charts/chart-frame.js';
import { spread } from '../charts/spread.js';
import { valueText } from '../format.js';
import { html, trusted, type Html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportModel, ReportValue } from '../report-model.js';

/** What the control planes did, over the clusters; undefined when nothing was measured. */
export function controlPlaneSection({ values, clusters }: ReportModel): Section | undefined {
  if (values.length === 0) return undefined;
  const shown = values.filter(isTelling);
  const rest = values.filter((value) => !isTelling(value));
  const many = clusters.length > 2;
  const body = html`<p class="lead">
      The least and the largest value over the clusters, and where the largest is. Dots are
      clusters.
    </p>
    ${valueTable('Control plane values', shown.length === 0 ? values : shown, many)}
    ${
      shown.length === 0 || rest.length === 0
        ? undefined
        : html`<details>
            <summary>Show ${rest.length} more values</summary>
            ${valueTable('More control plane values', rest, many)}
          </details>`
    }`;
  return { id: 'control-plane', title: 'Control plane', body };
}

/** The upper end of a distribution tells more than its middle. */
function isTelling({ query }: ReportValue): boolean {
  return /^(Perc99|Max|PerPodMax|TotalIncrease|TotalMax|MaxBurst|MinReadiness)/.test(query);
}

function valueTable(label: string, values: readonly ReportValue[], many: boolean): Html {
  return table(
    label,
    ['Measurement', 'Value', 'least', 'largest', ...(many ? ['at'] : []), 'clusters'],
    values.map((value) => valueRow(value, many)),
  );
}

function valueRow(value: ReportValue, many: boolean): readonly (string | Html)[] {
  const { measurement, query, labels, unit } = value;
  const sorted = [...value.byCluster].sort((a, b) => a.value - b.value);
  const [least, largest] = [sorted[0], sorted.at(-1)];
  const text = (number: number) => valueText(number, unit);
  return [
    labels === '' ? measurement : `${measurement} · ${labels}`,
    query,
    least === undefined ? '–' : text(least.value),
    largest === undefined ? '–' : text(largest.value),
    ...(many ? [largest?.cluster ?? '–'] : []),
    trusted(spread(sorted, text)),
  ];
}
