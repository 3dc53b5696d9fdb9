import { join } from 'node:path';
import { MIB, type Bytes, type Milliseconds } from '../../model/quantity.js';
import type { KubeClient } from '../kube/kube-client.js';
import { logPath } from '../kube/pod-streams.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import { secretsOf } from './kubeconfig-of.js';
import { loggedPods, type LoggedContainer } from './logged-pods.js';
import { createRedaction } from './redact.js';

/** Where logs of the mesh's own pods go. */
export interface PodLogRequest {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** `<namespace>/<pod>/<container>[.previous].log` below it. */
  readonly folder: string;
  readonly budget: Milliseconds;
  readonly signal: AbortSignal;
}

/** What was fetched, and what was not and why. */
export interface PodLogs {
  readonly files: number;
  readonly remarks: readonly string[];
}

/**
 * Fetches the logs, current and previous, of every container of the mesh's API server, the agents and
 * the operator; those that restarted or are not ready first. Each is cut to its end of
 * {@link EACH}, all together to {@link ALL}, and redacted. Never rejects: logs are evidence beside
 * the results, and without them the results are the same.
 */
export async function collectPodLogs(request: PodLogRequest): Promise<PodLogs> {
  const { client, clock, budget, signal } = request;
  const start = clock.monoNs();
  const remarks: string[] = [];
  const found = await loggedPods(client, signal, (remark) => void remarks.push(remark));
  let files = 0;
  let left: Bytes = ALL;
  for (const [index, container] of found.entries()) {
    const late = millisecondsBetween(start, clock.monoNs()) >= budget;
    if (late || left <= 0 || signal.aborted) {
      const why = signal.aborted ? 'stopped' : late ? 'the time was over' : 'enough was fetched';
      remarks.push(`${found.length - index} logs of pods were left out: ${why}`);
      break;
    }
    const written = await writeLog(request, container, Math.min(EACH, left));
    if (typeof written === 'string') {
      remarks.push(written);
      continue;
    }
    files += written > 0 ? 1 : 0;
    left -= written;
  }
  return { files, remarks };
}

/** Gives its size, or why there is none. */
async function writeLog(
  { client, folder, signal }: PodLogRequest,
  { namespace, pod, container, previous }: LoggedContainer,
  limit: Bytes,
): Promise<Bytes | string> {
  const query = {
    timestamps: 'true',
    // The server cuts the end off beyond `limitBytes`, so lines are counted first.
    tailLines: String(Math.ceil(limit / TYPICAL_LINE)),
    limitBytes: String(limit),
    ...(previous ? { previous: 'true' } : {}),
  };
  const path = logPath({ namespace, pod, container }, query);
  const answer = await client.request('GET', path, undefined, { signal });
  const name = `${namespace}/${pod}/${container}${previous ? '.previous' : ''}.log`;
  if (!answer.ok) return `${name}: ${answer.status} ${answer.message}`;
  if (typeof answer.body !== 'string' || answer.body === '') return 0;
  const redact = createRedaction(secretsOf(client.access));
  const lines = answer.body.split('\n').flatMap((line) => redact(line) ?? []);
  const text = lines.join('\n');
  await ensureDirectory(join(folder, namespace, pod));
  await writeAtomic(join(folder, name), text);
  return text.length;
}

/** Ours: some hours of a quiet agent, some minutes of a failing one. */
const EACH: Bytes = 2 * MIB;
/** Ours: a failed run on 100 nodes must not fill the disk with what one node would have told. */
const ALL: Bytes = 64 * MIB;
/** Of an agent, with its time stamp. */
const TYPICAL_LINE: Bytes = 200;
