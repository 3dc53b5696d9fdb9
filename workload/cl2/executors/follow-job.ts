import type { Milliseconds } from '../../../model/quantity.js';
import type { UserError } from '../../../model/user-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { millisecondsBetween, type Clock } from '../../platform/clock.js';
import * as errors from './errors.js';
import type { Cl2End, Cl2Lost } from './executor.js';
import type { LogFollower } from './follow-log.js';
import { JOB_PATH, JOB_PODS } from './job-objects.js';
import type { JobBudgets, JobSettings } from './job-settings.js';
import { viewPod, type PodView } from './pod-view.js';

/** A Job that is followed to its end. */
export interface JobFollowing {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly role: string;
  readonly settings: JobSettings;
  readonly budgets: JobBudgets;
  readonly deadlineSeconds: number;
  readonly log: LogFollower;
  /** A line when what it waits for changes. */
  readonly tell: (line: string) => void;
  /** Aborts when it is stopped. */
  readonly signal: AbortSignal;
}

/**
 * Looks at the pod of the Job until ClusterLoader2 has ended or cannot end any more. Every state that
 * may pass by itself has its budget; none is waited in for good. Never rejects for what it sees.
 */
export async function followJob(following: JobFollowing): Promise<Cl2End> {
  const { clock, signal, log } = following;
  const seen: Seen = { key: '', sinceNs: clock.monoNs(), hadPod: false };
  for (;;) {
    const look = await lookAt(following);
    // Also when it was aborted in the pause: the request then fails at once.
    if (signal.aborted) return await stopped(log);
    remember(seen, look, following);
    const end = judge(following, look, seen);
    if (end !== undefined) {
      const pod = 'pod' in look ? look.pod : undefined;
      await log.finish(pod);
      return end.state === 'lost' ? await explained(following, end, look) : end;
    }
    if (look.state === 'running') log.follow(look.pod);
    await clock.sleep(PERIOD, signal).catch(() => undefined);
  }
}

type Look = PodView | { readonly state: 'silent'; readonly text: string };

interface Seen {
  /** What it was the last time, and since when. */
  key: string;
  sinceNs: bigint;
  hadPod: boolean;
}

async function stopped(log: LogFollower): Promise<Cl2End> {
  await log.finish(undefined);
  return { state: 'signalled', signal: 'SIGTERM' };
}

async function lookAt({ client, signal }: JobFollowing): Promise<Look> {
  const answer = await client.request('GET', JOB_PODS, undefined, { signal });
  if (!answer.ok)
    return { state: 'silent', text: `${answer.status} ${answer.reason}: ${answer.message}` };
  return viewPod(answer.body);
}

function remember(seen: Seen, look: Look, { clock, tell }: JobFollowing): void {
  const key = look.state === 'waiting' ? look.for : look.state;
  if (look.state !== 'absent' && look.state !== 'silent') seen.hadPod = true;
  if (key === seen.key) return;
  seen.key = key;
  seen.sinceNs = clock.monoNs();
  const text = 'text' in look ? `: ${look.text}` : '';
  tell(`the pod of ClusterLoader2: ${key}${text}`);
}

function judge(following: JobFollowing, look: Look, seen: Seen): Cl2End | undefined {
  const { role, budgets, clock, settings } = following;
  const waited = millisecondsBetween(seen.sinceNs, clock.monoNs());
  switch (look.state) {
    case 'running':
      return undefined;
    case 'ended':
      if (look.outOfMemory)
        return lost(errors.outOfMemory(role, settings.resources.memoryLimit), false);
      return { state: 'exited', code: look.code };
    case 'evicted':
      return lost(errors.podEvicted(role, look.text), true);
    case 'no-helper':
      return lost(
        errors.helperNotStarted(role, settings.helperImage ?? settings.image, look.text),
        false,
      );
    case 'absent':
      if (seen.hadPod) return lost(errors.podGone(role, 'it is not there any more'), true);
      return after(waited, budgets.podMade, () =>
        errors.podNotMade(role, waited, 'no pod is there'),
      );
    case 'silent':
      return after(waited, budgets.silent, () => errors.clusterSilent(role, waited, look.text));
    case 'waiting':
      return judgeWaiting(following, look, waited);
  }
}

function judgeWaiting(
  { role, budgets, settings }: JobFollowing,
  look: PodView & { readonly state: 'waiting' },
  waited: Milliseconds,
): Cl2Lost | undefined {
  switch (look.for) {
    case 'scheduling':
      return after(waited, budgets.scheduled, () =>
        errors.podNotScheduled(role, waited, look.text),
      );
    case 'pulling': {
      const image = look.text.includes(settings.helperImage ?? settings.image)
        ? (settings.helperImage ?? settings.image)
        : settings.image;
      const budget = look.final ? 0 : budgets.pulled;
      return after(waited, budget, () => errors.imageNotPulled(role, image, look.text));
    }
    case 'starting': {
      const budget = look.final ? 0 : budgets.started;
      return after(waited, budget, () => errors.podNotStarted(role, waited, look.text));
    }
  }
}

/** Why a pod is gone stands in its Job. */
async function explained(following: JobFollowing, end: Cl2Lost, look: Look): Promise<Cl2Lost> {
  if (look.state !== 'absent') return end;
  const { client, role, deadlineSeconds } = following;
  const job = await client.request('GET', JOB_PATH);
  if (!job.ok && job.status === 404)
    return lost(errors.podGone(role, 'its Job was removed'), false);
  const text = job.ok ? JSON.stringify(job.body) : '';
  return text.includes('"DeadlineExceeded"')
    ? lost(errors.jobDeadline(role, deadlineSeconds), false)
    : end;
}

function after(
  waited: Milliseconds,
  budget: Milliseconds,
  error: () => UserError,
): Cl2Lost | undefined {
  return waited < budget ? undefined : lost(error(), false);
}

function lost(error: UserError, retryable: boolean): Cl2Lost {
  return { state: 'lost', error, retryable };
}

/** Ours: one small list a second; how late an end may be seen. */
const PERIOD: Milliseconds = 1_000;
