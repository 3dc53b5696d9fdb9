import type { UserError } from '../../model/user-error.js';
import { checkPromql } from '../measure/promql.js';
import type { Cl2Object, Cl2Phase } from './config-api.js';
import { badName, badQuery, badTemplate } from './errors.js';
import type { Cl2Job } from './generate.js';
import { renderTemplate } from './render-template.js';

/**
 * Everything that is wrong with what ClusterLoader2 would be given. It checks little of it itself, and
 * finds the rest while it loads a cluster. @see data/clusterloader2.md §1.2, §6.3
 */
export function checkJob(job: Cl2Job): readonly UserError[] {
  return [...nameErrors(job), ...queryErrors(job), ...templateErrors(job), ...duplicateFiles(job)];
}

function nameErrors({ config }: Cl2Job): readonly UserError[] {
  const { name, namespace, steps } = config;
  const named = [
    { what: 'test', name, pattern: /^[A-Za-z0-9][A-Za-z0-9-]*$/ },
    { what: 'namespace', name: `${namespace.prefix}-${namespace.number}`, pattern: DNS_LABEL },
    ...steps.map((step) => ({ what: 'step', name: step.name, pattern: FILE_SAFE })),
    ...steps.flatMap((step) =>
      'phases' in step
        ? []
        : step.measurements.map(({ identifier }) => ({
            what: 'measurement',
            name: identifier,
            pattern: FILE_SAFE,
          })),
    ),
    ...queriesOf({ config }).map(({ metricName }) => ({
      what: 'metric',
      name: metricName,
      pattern: FILE_SAFE,
    })),
    ...bundles(config.steps).flatMap(({ phase, object }) => {
      const last = Math.max(0, phase.replicasPerNamespace - 1);
      return [{ what: 'object', name: `${object.basename}-${last}`, pattern: DNS_LABEL }];
    }),
  ];
  const wrong = named.filter((one) => !one.pattern.test(one.name) || one.name.length > LONGEST);
  const told = new Map(wrong.map((one) => [`${one.what} ${one.name}`, one]));
  return [...told.values()].map((one) => badName(one.what, one.name, String(one.pattern)));
}

function queryErrors(given: Cl2Job): readonly UserError[] {
  return queriesOf(given).flatMap(({ metricName, queries }) =>
    queries.flatMap(({ query }) => {
      // Every way in which the window is filled in gives the same grammar.
      const checked = checkPromql(query.replaceAll('%v', '60s'));
      return checked.ok ? [] : [badQuery(metricName, query, checked.problem)];
    }),
  );
}

/** The first and the last object of each template: an index changes nothing in between. */
function templateErrors({ config, files }: Cl2Job): readonly UserError[] {
  return bundles(config.steps).flatMap(({ phase, object }) => {
    const { objectTemplatePath, basename } = object;
    const text = files.find(({ file }) => file === objectTemplatePath)?.text;
    if (text === undefined) return [badTemplate(objectTemplatePath, 0, 'there is no such file')];
    const last = Math.max(0, phase.replicasPerNamespace - 1);
    const namespace = `${config.namespace.prefix}-${phase.namespaceRange.max}`;
    return [...new Set([0, last])].flatMap((index) => {
      const rendered = renderTemplate(text, { basename, index, namespace });
      return rendered.ok ? [] : [badTemplate(objectTemplatePath, index, rendered.problem)];
    });
  });
}

/** Two measurements of one file name overwrite each other. */
function duplicateFiles({ expected }: Cl2Job): readonly UserError[] {
  const { files } = expected;
  return files.flatMap((file, index) =>
    files.indexOf(file) === index ? [] : [badName('metric', file, 'a name of its own')],
  );
}

function queriesOf({ config }: Pick<Cl2Job, 'config'>) {
  return config.steps.flatMap((step) =>
    'phases' in step
      ? []
      : step.measurements.flatMap((one) =>
          one.method === 'GenericPrometheusQuery' && one.params.action === 'gather'
            ? [one.params]
            : [],
        ),
  );
}

function bundles(steps: Cl2Job['config']['steps']) {
  return steps.flatMap((step): readonly { phase: Cl2Phase; object: Cl2Object }[] =>
    'phases' in step
      ? step.phases.flatMap((phase) => phase.objectBundle.map((object) => ({ phase, object })))
      : [],
  );
}

/** No `_`, `/` or `:`: names become parts of file names. */
const FILE_SAFE = /^[A-Za-z0-9][A-Za-z0-9 -]*$/;
const DNS_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
/** Of a DNS label; file systems take more. */
const LONGEST = 63;
