/** A column of the table `rows`: its type in DuckDB, and where it stands in a line of `rows.jsonl`. */
export interface RowColumn {
  readonly name: string;
  readonly type: string;
  /** Expression on the line as it was read. */
  readonly from: string;
  /** For the docs. */
  readonly doc: string;
}

/** The version of these columns; a Parquet file of another one is made anew from its JSON lines. */
export const COLUMNS_VERSION = 1;

/** The table `rows`, one record for each line of `rows.jsonl`. */
export const ROW_COLUMNS: readonly RowColumn[] = [
  own('run', 'the run: sorts by time'),
  top('scenario', 'VARCHAR', 'test_type', 'its scenario, with a suffix where it runs in shapes'),
  top('started', 'TIMESTAMP', 'start_timestamp', 'when the run began, UTC'),
  own('target', '`local`, `kubeconfig`, `azure`; `unknown` for folders of other tools'),
  own('engine', '`native` or `clusterloader2`'),
  top('mesh_size', 'INTEGER', 'mesh_size', 'clusters that the mesh should have'),
  top('cluster_count', 'INTEGER', 'cluster_count', 'clusters that it had; less: a partial mesh'),
  top('cluster', 'VARCHAR', 'cluster', 'the role, such as `mesh-007`'),
  {
    name: 'cluster_number',
    type: 'INTEGER',
    from: "TRY_CAST(regexp_extract(cluster, '([0-9]+)$', 1) AS INTEGER)",
    doc: 'the number at its end: joins runs whose tools spell roles differently',
  },
  own('kind', '`measurement`, `status`, `coverage`, `fault`, `probe` or `phase`'),
  top('test', 'VARCHAR', '"group"', 'name of the test that wrote it'),
  top('measurement', 'VARCHAR', 'measurement', 'what was measured'),
  own('phase', 'the phase of the scenario, if it is of one'),
  own('source_cluster', 'of a directed pair: whose change it was'),
  own('target_cluster', 'of a directed pair: who saw it'),
  own('state', '`present`, `empty`, `missing` or `not-applicable`'),
  own('reason', 'why it is not present'),
  own('verdict', 'of `ClusterStatus` rows: the verdict on the cluster'),
  top('status', 'VARCHAR', 'status', '`success` or `failure` of the attempt on that cluster'),
  own('unit', 'of the values'),
  {
    name: 'labels',
    type: 'JSON',
    from: "json_extract(result, '$.labels')",
    doc: 'what tells it from other rows of the measurement',
  },
  {
    name: 'data',
    type: 'JSON',
    from: "coalesce(json_extract(result, '$.data'), result)",
    doc: 'its values by name; `measured` has them as records of their own',
  },
  own('samples', 'how many observations the values are of', 'BIGINT'),
  own('valid', 'false: do not use it', 'BOOLEAN'),
  own('invalid_reasons', 'why not', 'VARCHAR[]'),
  own('cilium_version', 'of the cluster'),
  own('attempt', 'counted from 1; 0: of no attempt', 'INTEGER'),
  own('stamp', 'when the value was taken, UTC', 'TIMESTAMP'),
  top('collected', 'TIMESTAMP', 'timestamp', 'when the row was made, UTC'),
  top('details', 'VARCHAR', 'test_details.details', 'what failed'),
  own('key', 'equal in two attempts at the same value'),
];

/** Types of what is read from a line, before it becomes columns: each line is parsed once. */
export const LINE_TYPES: Readonly<Record<string, string>> = {
  timestamp: 'VARCHAR',
  status: 'VARCHAR',
  group: 'VARCHAR',
  measurement: 'VARCHAR',
  result: 'JSON',
  test_details: 'STRUCT(details VARCHAR)',
  test_type: 'VARCHAR',
  start_timestamp: 'VARCHAR',
  cluster: 'VARCHAR',
  mesh_size: 'BIGINT',
  cluster_count: 'BIGINT',
  meshscale: `STRUCT(${ROW_COLUMNS.filter(({ from }) => from.startsWith('meshscale.'))
    .map(({ name, type }) => `${name} ${type === 'TIMESTAMP' ? 'VARCHAR' : type}`)
    .join(', ')})`,
};

/** The `SELECT` that makes the columns out of lines. */
export function columnSelection(): string {
  return ROW_COLUMNS.map(({ name, type, from }) => `TRY_CAST(${from} AS ${type}) AS ${name}`).join(
    ', ',
  );
}

/** A field under `meshscale`. */
function own(name: string, doc: string, type = 'VARCHAR'): RowColumn {
  return { name, type, from: `meshscale.${name}`, doc };
}

/** A field of the line itself. */
function top(name: string, type: string, from: string, doc: string): RowColumn {
  return { name, type, from, doc };
}
