import { z } from 'zod';
import type { Milliseconds } from '../../model/quantity.js';
import type { KubeClient } from '../../workload/kube/kube-client.js';
import type { Clock } from '../../workload/platform/clock.js';
import { waitFor, type Look, type WaitResult } from '../../workload/platform/wait.js';
import { ciliumResourceDefinitions } from './crds.js';

/** What installing needs. */
export interface CrdInstallation {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** @default 30 s */
  readonly budget?: Milliseconds | undefined;
}

/**
 * Puts Cilium's kinds into the API server by server-side apply, each again and again until it is
 * taken, and waits until they are served. `timed-out` lists what was not, each with the reason.
 * Harmless when they are there already.
 */
export async function installCrds(installation: CrdInstallation): Promise<WaitResult<true>> {
  const { client, clock, signal, budget = BUDGET } = installation;
  const bounds = { clock, budget, period: PERIOD, signal };
  const taken = new Set<string>();
  return await waitFor(bounds, async (): Promise<Look<true>> => {
    const looks = await Promise.all(
      ciliumResourceDefinitions().map((definition) => install(client, definition, taken)),
    );
    const missing = looks.flatMap((look) => look ?? []);
    return missing.length === 0 ? { state: 'ready', value: true } : { state: 'waiting', missing };
  });
}

/**
 * What is missing of one definition; undefined when it is served. Applied only until it is `taken`:
 * the API server pays several times more for an apply than for an answer.
 */
async function install(
  client: KubeClient,
  definition: { readonly metadata: { readonly name: string } },
  taken: Set<string>,
): Promise<string | undefined> {
  const { name } = definition.metadata;
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  const answer = taken.has(name)
    ? await client.request('GET', path)
    : await client.patch(`${path}?force=true`, 'apply', definition);
  if (!answer.ok) {
    // Somebody may have deleted it between two looks.
    taken.delete(name);
    return `${name}: ${answer.status} ${answer.reason} ${answer.message}`;
  }
  taken.add(name);
  const { conditions } = crdSchema.parse(answer.body).status;
  const established = conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  return established === true ? undefined : `${name} is not established`;
}

const crdSchema = z.object({
  status: z
    .object({
      // Fresh definitions answer `conditions: null`.
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).nullish(),
    })
    .prefault({}),
});

/** Ours: an API server of ours establishes them within a second; loaded ones were seen to need five. */
const BUDGET: Milliseconds = 30_000;
const PERIOD: Milliseconds = 100;
