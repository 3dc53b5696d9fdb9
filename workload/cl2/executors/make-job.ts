import type { Milliseconds } from '../../../model/quantity.js';
import type { UserError } from '../../../model/user-error.js';
import { isOfRun, labelsOf } from '../../native/ownership.js';
import { writeObject, type WriteBounds, type WriteResult } from '../../native/write-object.js';
import { waitFor } from '../../platform/wait.js';
import { OBJECT_CONVENTIONS } from '../../../model/object-conventions.js';
import { jobNamespaceTaken, jobRefused } from './errors.js';
import type { Cl2Launch } from './executor.js';
import type { InputFile } from './job-input.js';
import { jobAccountAndInput, jobLabels, jobNamespace, jobObject } from './job-objects.js';
import { jobRbac, type NewObject } from './job-rbac.js';
import { JOB_NAMESPACE, type JobSettings } from './job-settings.js';
import { removeJob } from './remove-job.js';

/** What a Job is made with. */
export interface Making extends WriteBounds {
  readonly launch: Cl2Launch;
  readonly settings: JobSettings;
  readonly maps: readonly (readonly InputFile[])[];
}

/**
 * Makes the namespace, the account with its rights, the input and the Job, in this order. What is
 * there already of the same run is taken: a second launch finds all but its Job, which is made anew.
 */
export async function makeJob(making: Making): Promise<UserError | undefined> {
  const { launch, settings, maps } = making;
  const { job, cluster, target } = launch;
  const uid = await makeNamespace(making);
  if (typeof uid !== 'string') return uid;
  const left = await removeJob(launch.client, making, FORMER);
  if (left !== undefined) return jobRefused(cluster.role, 'a second Job', left);
  const owner = { uid, labels: jobLabels(job) };
  const objects = [
    ...jobRbac(job, owner),
    ...jobAccountAndInput(job, maps),
    jobObject({ job, cluster, target, settings, maps }),
  ];
  for (const object of objects) {
    const made = await make(making, object);
    if (made.ok) continue;
    const { kind, metadata } = object.body;
    return jobRefused(cluster.role, `the ${kind} ${metadata.name}`, made.text);
  }
  return undefined;
}

/** Gives its uid, or what stands in the way. */
async function makeNamespace(making: Making): Promise<string | UserError> {
  const { launch, clock, signal } = making;
  const { client, job, cluster } = launch;
  const path = `/api/v1/namespaces/${JOB_NAMESPACE}`;
  const bounds = { clock, signal, budget: TERMINATING, period: PERIOD };
  const waited = await waitFor<string | UserError>(bounds, async () => {
    const made = await make(making, jobNamespace(job));
    if (!made.ok)
      return ready(jobRefused(cluster.role, `the namespace ${JOB_NAMESPACE}`, made.text));
    const answer = await client.request('GET', path, undefined, { signal });
    if (!answer.ok) return { state: 'waiting', missing: [answer.message] };
    const { uid, deletionTimestamp } = metadataOf(answer.body);
    if (deletionTimestamp !== undefined)
      return { state: 'waiting', missing: ['it is being deleted'] };
    return ready(
      isOfRun(answer.body, job.run.id)
        ? (uid ?? '')
        : jobNamespaceTaken(cluster.role, JOB_NAMESPACE, ownerText(answer.body)),
    );
  });
  if (waited.state === 'ready') return waited.value;
  return jobNamespaceTaken(cluster.role, JOB_NAMESPACE, waited.missing.join('; '));
}

function make(
  { launch, ...bounds }: Making,
  { collection, body }: NewObject,
): Promise<WriteResult> {
  const { client } = launch;
  return writeObject(
    bounds,
    () => client.request('POST', collection, body, { signal: bounds.signal }),
    ({ status, reason }) => status === 409 && reason === 'AlreadyExists',
  );
}

function ready<T>(value: T): { readonly state: 'ready'; readonly value: T } {
  return { state: 'ready', value };
}

function ownerText(namespace: unknown): string {
  const run = labelsOf(namespace)[OBJECT_CONVENTIONS.runLabel];
  return typeof run === 'string' ? `it belongs to the run ${run}` : 'it carries no label of ours';
}

/** The parsing border of what was just read. */
function metadataOf(body: unknown): { readonly uid?: string; readonly deletionTimestamp?: string } {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return {};
  const { metadata } = body;
  if (typeof metadata !== 'object' || metadata === null) return {};
  return metadata;
}

/** Ours: an empty namespace goes within seconds. */
const TERMINATING: Milliseconds = 60_000;
const PERIOD: Milliseconds = 1_000;
/** Ours: the pod of a Job that ended goes within its grace. */
const FORMER: Milliseconds = 60_000;
