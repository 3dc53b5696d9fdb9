/** A query that is ready to be asked. */
export interface NamedQuery {
  readonly name: string;
  /** What it answers. */
  readonly question: string;
  readonly sql: string;
}

/** Ready queries on `rows` and `measured`, over all runs that are opened. */
export const NAMED_QUERIES: readonly NamedQuery[] = [
  {
    name: 'runs',
    question: 'Which runs are there, and how did they end?',
    sql: `
SELECT run, any_value(scenario) AS scenario, any_value(target) AS target,
  any_value(mesh_size) AS mesh_size, count(*) AS clusters,
  count(*) FILTER (verdict = 'pass') AS pass,
  count(*) FILTER (verdict = 'fail') AS fail,
  count(*) FILTER (verdict IN ('invalid', 'error')) AS invalid_or_error
FROM rows WHERE measurement = 'ClusterStatus'
GROUP BY run ORDER BY run`,
  },
  {
    name: 'propagation',
    question: 'How long until a change is seen everywhere, and how does that grow with the mesh?',
    sql: `
SELECT scenario, mesh_size, run, json_extract_string(labels, '$.Metric') AS what,
  count(*) AS pairs, round(median(value), 1) AS median_ms, round(max(value), 1) AS worst_pair_ms
FROM measured WHERE measurement = 'ClusterMeshPropagationSummary' AND query = 'Perc99'
GROUP BY ALL ORDER BY scenario, mesh_size, run, what`,
  },
  {
    name: 'slow-pairs',
    question: 'Which pairs of clusters see changes last?',
    sql: `
SELECT run, source_cluster, target_cluster, json_extract_string(labels, '$.Metric') AS what,
  round(value, 1) AS p99_ms
FROM measured WHERE measurement = 'ClusterMeshPropagationSummary' AND query = 'Perc99'
ORDER BY value DESC LIMIT 20`,
  },
  {
    name: 'trend',
    question: 'How did each value move from run to run?',
    sql: `
SELECT scenario, mesh_size, measurement, query, unit, run,
  round(median(value), 4) AS median,
  round(100 * (median(value) / nullif(lag(median(value)) OVER earlier, 0) - 1), 1) AS percent
FROM measured WHERE kind = 'measurement' AND source_cluster IS NULL AND labels IS NULL
GROUP BY scenario, mesh_size, measurement, query, unit, run
WINDOW earlier AS (PARTITION BY scenario, mesh_size, measurement, query, unit ORDER BY run)
ORDER BY ALL`,
  },
  {
    name: 'spread',
    question: 'Which clusters are far from the others?',
    sql: `
WITH middle AS (
  SELECT run, measurement, query, unit, median(value) AS median, mad(value) AS deviation
  FROM measured WHERE kind = 'measurement' AND source_cluster IS NULL AND labels IS NULL
  GROUP BY ALL HAVING count(*) >= 5)
SELECT run, cluster, measurement, query, unit, round(value, 4) AS value, round(median, 4) AS median,
  round(abs(value - median) / (1.4826 * deviation), 1) AS deviations
FROM measured JOIN middle USING (run, measurement, query, unit)
WHERE labels IS NULL AND deviation > 0 AND abs(value - median) > 5 * 1.4826 * deviation
ORDER BY deviations DESC LIMIT 50`,
  },
  {
    name: 'slow-calls',
    question: 'Which calls of the API servers are slowest?',
    sql: `
SELECT run, json_extract_string(labels, '$.Verb') AS verb,
  json_extract_string(labels, '$.Resource') AS resource, json_extract_string(labels, '$.Scope') AS scope,
  count(*) AS clusters, round(max(value), 1) AS worst_p99_ms
FROM measured WHERE measurement = 'APIResponsivenessPrometheus' AND query = 'Perc99'
GROUP BY ALL ORDER BY worst_p99_ms DESC LIMIT 20`,
  },
  {
    name: 'failures',
    question: 'Which clusters failed, and why?',
    sql: `
SELECT run, cluster, verdict, reason FROM rows
WHERE measurement = 'ClusterStatus' AND verdict NOT IN ('pass', 'not-applicable')
ORDER BY run, cluster`,
  },
  {
    name: 'not-measured',
    question: 'What should have been measured and is not there?',
    sql: `
SELECT run, json_extract_string(labels, '$.Measurement') AS measurement, state, reason,
  count(*) AS clusters
FROM rows WHERE measurement = 'MeasurementCoverage' AND state IN ('missing', 'empty')
GROUP BY ALL ORDER BY run, clusters DESC, measurement`,
  },
  {
    name: 'partial-meshes',
    question: 'Which runs had fewer clusters than they should?',
    sql: `
SELECT DISTINCT run, scenario, mesh_size, cluster_count FROM rows
WHERE mesh_size <> cluster_count ORDER BY run`,
  },
  {
    name: 'not-valid',
    question: 'Which values must not be used, and why?',
    sql: `
WITH reasons AS (
  SELECT run, cluster, unnest(invalid_reasons) AS reason FROM rows WHERE NOT valid)
SELECT run, cluster, reason, count(*) AS values FROM reasons
GROUP BY ALL ORDER BY run, cluster, reason`,
  },
  {
    name: 'load',
    question: 'Was each cluster loaded as asked?',
    sql: `
SELECT run, cluster, phase, max(value) FILTER (query = 'asked') AS asked,
  max(value) FILTER (query = 'achieved') AS achieved,
  round(100 * max(value) FILTER (query = 'ratio'), 1) AS percent
FROM measured WHERE measurement = 'StimulusAchieved'
GROUP BY ALL ORDER BY percent, run, cluster`,
  },
  {
    name: 'faults',
    question: 'How long did faults and recoveries take?',
    sql: `
SELECT run, cluster, measurement, query, value FROM measured
WHERE kind = 'fault' AND query LIKE '%\\_seconds' ESCAPE '\\'
ORDER BY run, measurement, query, cluster`,
  },
];
