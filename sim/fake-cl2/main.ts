import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import { accessFromKubeconfig, readKubeconfig } from '../../workload/kube/kubeconfig.js';
import { readConfig, type FakeConfig } from './config.js';
import { readEnding } from './ending.js';
import { readFlags, tellHelp, type Cl2Flags } from './flags.js';
import { createKlog, exitFatal, type Klog } from './klog.js';
import { endTest } from './end-test.js';
import { runSteps } from './run-steps.js';

/** One run of the stand-in, from its command line to its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help')) tellHelp();
  const flags = readFlags(argv);
  if (typeof flags === 'string') exitFatal(`Parsing flags error: [${flags}]`);
  const klog = createKlog(flags.verbose);
  const { client, context } = await connect(flags, klog);
  const script = await readEnding(
    dirname(fileURLToPath(import.meta.url)),
    context,
    flags.reportDir,
  );
  await mkdir(flags.reportDir, { recursive: true });
  if (!flags.dryRun) await setUp(flags, script.ending);
  const config = await compile(flags, klog);
  if (flags.dryRun) {
    exitFatal(`Dry run mode enabled, exiting after dumping test config in ${flags.reportDir}.`);
  }
  const cluster = { client, config, configFile: flags.testconfig, counts: new Map() };
  const ran = await runSteps(cluster, flags, script, klog);
  await endTest(flags, config, ran, script, klog);
}

async function connect({ kubeconfig, dryRun, verbose }: Cl2Flags, klog: Klog) {
  try {
    const text = await readFile(kubeconfig, 'utf8');
    // The real one does so since 2026: whoever keeps its log has to redact it.
    if (verbose) klog.info(`Kubeconfig content: ${text}`);
    const context = (await readKubeconfig(kubeconfig)).currentContext ?? '';
    const client = createKubeClient(await accessFromKubeconfig(kubeconfig, context));
    if (dryRun) return { client, context };
    const answer = await client.request('GET', '/version');
    if (!answer.ok && answer.status === 0) {
      exitFatal(`Framework creation error: Get "${client.access.server}": ${answer.message}`);
    }
    return { client, context };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    exitFatal(`Client creation error: config prepare failed: error loading kubeconfig: ${reason}`);
  }
}

async function setUp({ reportDir }: Cl2Flags, ending: string): Promise<void> {
  if (ending === 'api-server-gone') {
    exitFatal('Framework creation error: Get "https://127.0.0.1:1": connection refused');
  }
  if (ending === 'prometheus-timeout') {
    exitFatal('Error while setting up prometheus stack: timed out waiting for the condition');
  }
  await writeFile(join(reportDir, 'cl2-metadata.json'), '{}');
}

async function compile({ testconfig, reportDir }: Cl2Flags, klog: Klog): Promise<FakeConfig> {
  const text = await readFile(testconfig, 'utf8').catch(() => '');
  const config = readConfig(text);
  if (typeof config === 'string') exitFatal(`Test compilation failed: [${testconfig}: ${config}]`);
  const dump = join(reportDir, `generatedConfig_${config.name}.yaml`);
  await writeFile(dump, `name: ${config.name}\n`);
  klog.info(`Test config successfully dumped to: ${dump}`);
  return config;
}

await main(process.argv.slice(2));
