/** The table of allowed imports (CONTRIBUTING.md) as rules: each room lists what it may NOT reach. */
const rooms = [
  'model',
  'constructs',
  'stacks',
  'fleet',
  'workload',
  'local',
  'sim',
  'planner',
  'formats',
  'labs',
  'bench',
  'scripts',
  '__tests__',
];
const others = (...allowed) => `^(${rooms.filter((room) => !allowed.includes(room)).join('|')})/`;
const room = (name, ...allowed) => ({
  name: `${name}-imports`,
  comment: `${name} may import ${allowed.join(', ') || 'nothing of ours'} only`,
  severity: 'error',
  from: { path: `^${name}/` },
  to: { path: others(name, ...allowed) },
});

/** Inside workload only downward. A folder may import itself and those after it in this list. */
const floors = [
  ['commands'],
  ['report', 'ui', 'compare', 'store'],
  ['results'],
  ['exec'],
  ['cl2', 'native', 'probe', 'faults', 'signatures', 'measure', 'scenario', 'inventory'],
  ['kube'],
  ['platform'],
];
const upward = floors.slice(1).flatMap((floor, index) => {
  const above = floors.slice(0, index + 1).flat();
  return floor.map((name) => ({
    name: `workload-${name}-imports-downward`,
    comment: `workload/${name} may not import ${above.join(', ')}`,
    severity: 'error',
    from: { path: `^workload/${name}/` },
    to: { path: `^workload/(${above.join('|')})/` },
  }));
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unlisted-packages',
      severity: 'error',
      // The Terraform stand-in is for tests only and is not published.
      from: {
        path: '^(model|local|workload|fleet|sim|planner|formats|labs)/',
        pathNot: '^sim/azurerm-provider/',
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'model-is-pure',
      comment: 'model imports zod and ipaddr.js only',
      severity: 'error',
      from: { path: '^model/' },
      to: { path: 'node_modules', pathNot: 'node_modules/(zod|ipaddr.js)/' },
    },
    room('model'),
    room('constructs', 'model'),
    room('stacks', 'constructs', 'model'),
    {
      name: 'main-imports',
      severity: 'error',
      from: { path: '^main[.]ts$' },
      to: { path: others('constructs', 'stacks', 'model') },
    },
    {
      name: 'one-file-imports-the-framework',
      comment: 'constructs/cdk.ts only, so that the framework can be changed in one place',
      severity: 'error',
      from: { path: '^(constructs|stacks|main[.]ts)', pathNot: '^constructs/cdk[.]ts$' },
      to: { path: 'node_modules/(cdktf|constructs)/' },
    },
    {
      name: 'one-file-imports-provider-classes',
      comment: 'constructs/providers.ts only',
      severity: 'error',
      from: { path: '^(constructs|stacks|main[.]ts)', pathNot: '^constructs/providers[.]ts$' },
      to: { path: 'node_modules/@cdktf/' },
    },
    {
      name: 'provider-classes-by-subpath',
      comment: 'the root of a provider costs seconds and hundreds of megabytes',
      severity: 'error',
      from: {},
      to: { path: 'node_modules/@cdktf/provider-[^/]+/lib/index[.]js$' },
    },
    room('fleet', 'model'),
    room('planner', 'model'),
    room('formats', 'model'),
    room('sim', 'model', 'fleet', 'workload'),
    room('labs', 'model', 'workload', 'local'),
    room('local', 'model', 'workload'),
    {
      name: 'local-uses-only-the-low-floors',
      comment: 'local may import workload/kube and workload/platform only',
      severity: 'error',
      from: { path: '^local/' },
      to: { path: '^workload/', pathNot: '^workload/(kube|platform)/' },
    },
    {
      name: 'only-commands-import-local',
      severity: 'error',
      from: { path: '^workload/', pathNot: '^workload/commands/' },
      to: { path: '^local/' },
    },
    {
      name: 'workload-imports',
      comment:
        'workload may import model and fleet; commands also local, labs, planner, formats and sim',
      severity: 'error',
      from: { path: '^workload/' },
      to: { path: '^(constructs|stacks|bench|scripts|__tests__)/' },
    },
    ...upward,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|\\.cache)/' },
    tsPreCompilationDeps: true,
    // No tsConfig: with it, the package `constructs` is taken for the folder of that name.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
