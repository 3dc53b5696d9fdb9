import { join } from 'node:path';
import { AKS_API_VERSION } from '../../fleet/arm/api-version.js';
import type { Azure } from '../../fleet/connect.js';
import { startBudget } from '../../fleet/budget.js';
import { listAt, parseJson, textAt } from '../../fleet/json.js';
import type { FleetClock } from '../../fleet/ports.js';
import type { Milliseconds } from '../../model/quantity.js';
import { accessFromKubeconfig, readKubeconfig } from '../kube/kubeconfig.js';
import type { KubeAccess } from '../kube/kube-client.js';
import {
  ensureDirectory,
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  writeAtomic,
} from '../platform/files.js';
import { noCredentials } from './errors.js';

/** What fetching credentials needs. */
export interface AksWorld {
  readonly azure: Azure;
  readonly clock: FleetClock;
  readonly signal: AbortSignal;
  /** Where kubeconfigs are written; made with 0700. The user's own kubeconfig is never touched. */
  readonly folder: string;
}

/** How an AKS cluster is reached. */
export type AksAccess = (role: string, resourceId: string) => Promise<KubeAccess>;

/**
 * Fetches credentials of AKS clusters, each into a file of its own (0600). All that ask at once are
 * paced below the service's limit; throttling and faults are repeated, refusals are not.
 */
export function aksAccess(world: AksWorld): AksAccess {
  const pace = createPace(world.clock, world.signal);
  return async (role, resourceId) => {
    await pace();
    const kubeconfig = await fetchKubeconfig(role, resourceId, world);
    await ensureDirectory(world.folder, PRIVATE_DIRECTORY);
    const file = join(world.folder, `${role}.aks.kubeconfig`);
    await writeAtomic(file, kubeconfig, PRIVATE_FILE);
    const { currentContext, contexts } = await readKubeconfig(file);
    const context = currentContext ?? contexts[0]?.name;
    if (context === undefined) throw noCredentials(role, 'a kubeconfig without a context');
    return await accessFromKubeconfig(file, context);
  };
}

/** Of the 60 calls that AKS lets pass at once; the rest is left to others in the subscription. */
const AT_ONCE = 20;
/** AKS refills one call a second for each subscription. @see azure-limits.md §2.3 */
const PERIOD: Milliseconds = 1_050;

function createPace(clock: FleetClock, signal: AbortSignal): () => Promise<void> {
  const now = (): Milliseconds => Number(clock.monoNs()) / 1e6;
  let free = now() - AT_ONCE * PERIOD;
  return async () => {
    free = Math.max(free, now() - AT_ONCE * PERIOD) + PERIOD;
    const wait = free - now();
    if (wait > 0) await clock.sleep(wait, signal);
  };
}

/** For one cluster, throttling included; chosen. */
const BUDGET: Milliseconds = 10 * 60_000;

async function fetchKubeconfig(
  role: string,
  resourceId: string,
  { azure, clock, signal }: AksWorld,
): Promise<string> {
  const bounds = { budget: startBudget(clock, BUDGET), signal };
  const action = `${resourceId}/listClusterUserCredential?api-version=${AKS_API_VERSION}`;
  const url = `${azure.origin}${action}`;
  const { answer, meaning } = await azure.exchange({ method: 'POST', url }, bounds);
  if (meaning.kind === 'absent') throw noCredentials(role, `there is no cluster ${resourceId}`);
  if (meaning.kind === 'expected') throw noCredentials(role, meaning.error.message);
  const [first] = listAt(parseJson(answer.body), 'kubeconfigs');
  const value = textAt(first, 'value');
  if (value === undefined) throw noCredentials(role, 'an answer without a kubeconfig');
  return Buffer.from(value, 'base64').toString('utf8');
}
