import type { Milliseconds, PerSecond } from '../../model/quantity.js';
import type { KubeAnswer, KubeClient } from '../kube/kube-client.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import type { DeploymentPlace, ObjectSetting } from './objects.js';
import {
  deploymentObject,
  deploymentPlaces,
  namespaceNames,
  namespaceObject,
  restartPatch,
  serviceObject,
} from './objects.js';
import { isOfRun } from './ownership.js';
import { keepRate, type AchievedRate } from './rate-keeper.js';
import { writeObject, type WriteResult } from './write-object.js';

/** Where and how the writes of an action are made. */
export interface WriteSetting {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly objects: ObjectSetting;
}

/** One paced series of writes. */
export interface Writes {
  readonly rate: AchievedRate;
  readonly duration: Milliseconds;
  /** The first refusals, in the API server's words. */
  readonly refusals: readonly string[];
  /** True when a refusal was that another run's namespace stands in the way. */
  readonly taken: boolean;
  /** Generations that the API server gave to what was written, by `namespace/name`. */
  readonly generations: ReadonlyMap<string, number>;
}

/** The namespaces, one after the other and without a rate. */
export async function createNamespaces(
  setting: WriteSetting,
  signal: AbortSignal,
): Promise<Writes> {
  const names = namespaceNames(setting.objects);
  return await paced(setting, names, undefined, signal, async (name, index) => {
    const body = namespaceObject(setting.objects, name, index + 1);
    const path = '/api/v1/namespaces';
    const result = await post(setting, path, body, signal);
    if (!result.ok && result.status === 409) return await ownNamespace(setting, name, signal);
    return { result };
  });
}

/**
 * The Service of each place, without a rate: an API server hands out cluster addresses one after the
 * other, so Services would be what a rate of Deployments really measures.
 */
export function createServices(setting: WriteSetting, signal: AbortSignal): Promise<Writes> {
  const places = deploymentPlaces(setting.objects);
  return paced(setting, places, undefined, signal, async (place) => {
    const service = serviceObject(setting.objects, place);
    const path = `/api/v1/namespaces/${place.namespace}/services`;
    return { result: await post(setting, path, service, signal, alreadyThere) };
  });
}

/** A Deployment for each place, `perSecond` of them. */
export function createDeployments(
  setting: WriteSetting,
  perSecond: PerSecond | undefined,
  signal: AbortSignal,
): Promise<Writes> {
  const places = deploymentPlaces(setting.objects);
  return paced(setting, places, perSecond, signal, async (place) => {
    const deployment = deploymentObject(setting.objects, place);
    const path = deploymentPath(place.namespace);
    return { result: await post(setting, path, deployment, signal, alreadyThere), place };
  });
}

/** Makes every pod anew by another restart generation. */
export function restartWorkload(
  setting: WriteSetting,
  generation: number,
  perSecond: PerSecond | undefined,
  signal: AbortSignal,
): Promise<Writes> {
  return patchWorkload(setting, restartPatch(generation), perSecond, signal);
}

/** Gives every Deployment another number of replicas. */
export function scaleWorkload(
  setting: WriteSetting,
  replicas: number,
  perSecond: PerSecond | undefined,
  signal: AbortSignal,
): Promise<Writes> {
  return patchWorkload(setting, { spec: { replicas } }, perSecond, signal);
}

/** Deletes every Deployment and its Service; namespaces stay for the clean-up. */
export function deleteWorkload(
  setting: WriteSetting,
  perSecond: PerSecond | undefined,
  signal: AbortSignal,
): Promise<Writes> {
  const places = deploymentPlaces(setting.objects);
  return paced(setting, places, perSecond, signal, async ({ namespace, name }) => {
    const remove = (path: string): Promise<WriteResult> =>
      writeObject(
        { ...setting, signal },
        () => setting.client.request('DELETE', path, undefined, { signal }),
        ({ status }) => status === 404,
      );
    const first = await remove(`/api/v1/namespaces/${namespace}/services/${name}`);
    if (!first.ok) return { result: first };
    return { result: await remove(`${deploymentPath(namespace)}/${name}`) };
  });
}

function patchWorkload(
  setting: WriteSetting,
  patch: object,
  perSecond: PerSecond | undefined,
  signal: AbortSignal,
): Promise<Writes> {
  const places = deploymentPlaces(setting.objects);
  return paced(setting, places, perSecond, signal, async (place) => {
    const path = `${deploymentPath(place.namespace)}/${place.name}`;
    const send = (): Promise<KubeAnswer> =>
      setting.client.patch(path, 'strategic', patch, { signal });
    return { result: await writeObject({ ...setting, signal }, send), place };
  });
}

interface Written {
  readonly result: WriteResult;
  /** Whose generation the answer tells. */
  readonly place?: DeploymentPlace;
  readonly taken?: boolean;
}

async function paced<T>(
  { clock }: WriteSetting,
  items: readonly T[],
  perSecond: PerSecond | undefined,
  signal: AbortSignal,
  write: (item: T, index: number) => Promise<Written>,
): Promise<Writes> {
  const start = clock.monoNs();
  const refusals: string[] = [];
  const generations = new Map<string, number>();
  let taken = false;
  const rate = await keepRate({ count: items.length, perSecond, clock, signal }, async (index) => {
    const item = items[index];
    if (item === undefined) return false;
    const written = await write(item, index);
    const { result, place } = written;
    if (result.ok && place !== undefined) {
      generations.set(`${place.namespace}/${place.name}`, generationOf(result.body));
    }
    if (!result.ok && refusals.length < KEPT_REFUSALS) refusals.push(result.text);
    taken ||= written.taken === true;
    return result.ok;
  });
  const duration = millisecondsBetween(start, clock.monoNs());
  return { rate, duration, refusals, taken, generations };
}

function post(
  setting: WriteSetting,
  path: string,
  body: object,
  signal: AbortSignal,
  accept?: (answer: KubeAnswer & { ok: false }) => boolean,
): Promise<WriteResult> {
  const send = (): Promise<KubeAnswer> => setting.client.request('POST', path, body, { signal });
  return writeObject({ ...setting, signal }, send, accept);
}

/** The answer to an earlier try was lost, or the whole action is being done again. */
function alreadyThere({ status, reason }: KubeAnswer & { ok: false }): boolean {
  return status === 409 && reason === 'AlreadyExists';
}

/** A namespace of that name is there: ours by an earlier try, or somebody else's. */
async function ownNamespace(
  { client, objects }: WriteSetting,
  name: string,
  signal: AbortSignal,
): Promise<Written> {
  const answer = await client.request('GET', `/api/v1/namespaces/${name}`, undefined, { signal });
  if (answer.ok && isOfRun(answer.body, objects.runId)) {
    return { result: { ok: true, body: answer.body } };
  }
  const text = `namespace ${name} is there already and does not belong to this run`;
  return { result: { ok: false, status: 409, text }, taken: true };
}

function deploymentPath(namespace: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/deployments`;
}

function generationOf(body: unknown): number {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return 1;
  const { metadata } = body;
  if (typeof metadata !== 'object' || metadata === null || !('generation' in metadata)) return 1;
  return typeof metadata.generation === 'number' ? metadata.generation : 1;
}

/** Enough to see what is wrong. */
const KEPT_REFUSALS = 3;
