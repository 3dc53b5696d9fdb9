import { parseArgs } from 'node:util';

/** The flags of one run. */
export interface Cl2Flags {
  readonly kubeconfig: string;
  readonly testconfig: string;
  readonly reportDir: string;
  readonly dryRun: boolean;
  readonly prometheus: boolean;
  readonly verbose: boolean;
}

/** Reads the command line; a text for what ClusterLoader2 would refuse. */
export function readFlags(argv: readonly string[]): Cl2Flags | string {
  const options = Object.fromEntries([
    ...TEXT.map((name) => [name, { type: 'string' as const }] as const),
    ...SWITCHES.map((name) => [name, { type: 'string' as const }] as const),
  ]);
  // Go takes a switch without a value for true; this parser would take the next word for its value.
  const args = argv.map((word) =>
    SWITCHES.includes(word.replace(/^--/, '')) ? `${word}=true` : word,
  );
  try {
    const { values } = parseArgs({ args, options, strict: true, allowPositionals: false });
    const text = (name: string): string => values[name] ?? '';
    if (text('provider') === '') return 'provider is required';
    if (!PROVIDERS.includes(text('provider')))
      return `unsupported provider name: ${text('provider')}`;
    if (text('testconfig') === '') return 'no test config path or test suite path specified';
    return {
      kubeconfig: text('kubeconfig'),
      testconfig: text('testconfig'),
      reportDir: text('report-dir'),
      dryRun: text('dry-run') === 'true',
      prometheus: text('enable-prometheus-server') === 'true',
      verbose: Number(text('v')) >= 2,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Lists the flags and ends with 1, as the real one does. */
export function tellHelp(): never {
  const lines = [...TEXT, ...SWITCHES].map((name) => `      --${name}`);
  process.stderr.write(`Usage of clusterloader2:\n${lines.join('\n')}\n`);
  process.exit(1);
}

/** @see data/clusterloader2.md §2 */
const TEXT = [
  'provider',
  'kubeconfig',
  'testconfig',
  'report-dir',
  'nodes',
  'k8s-clients-number',
  'master-endpoint',
  'prometheus-additional-monitors-path',
  'prometheus-ready-timeout',
  'port',
  'v',
];
const SWITCHES = [
  'run-from-cluster',
  'skip-cluster-verification',
  'dry-run',
  'enable-exec-service',
  'enable-prometheus-server',
  'tear-down-prometheus-server',
];
const PROVIDERS = ['aks', 'autopilot', 'aws', 'eks', 'gce', 'gke', 'kind', 'kubemark', 'local'];
