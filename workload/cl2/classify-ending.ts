import { matchSignature } from '../signatures/match.js';
import type { Cl2Outcome } from '../../model/cl2-outcome.js';
import type { FollowedEnd } from '../platform/followed-process.js';
import type { Cl2Lost } from './executors/executor.js';
import type { Cl2Evidence, Cl2Report, FailedStep } from './outcome.js';

/**
 * Exit code × junit × expected files × log: neither alone tells how a run ended. Exit 1 is anything
 * that is not 0, `junit.xml` is there only if the run came to its end, and a measurement that was
 * skipped leaves nothing at all. @see data/clusterloader2.md §2.5, §4.6
 */
export function classifyEnding(evidence: Cl2Evidence): Cl2Outcome {
  const { end, stoppedFor, report } = evidence;
  if (stoppedFor === 'interruption') return { kind: 'interrupted' };
  if (stoppedFor === 'budget') return { kind: 'timed-out', text: timedOut(evidence) };
  if (end.state === 'lost') return lost(end);
  const own = { ...evidence, end };
  switch (report.junit.state) {
    case 'missing':
      return withoutJunit(own);
    case 'malformed':
      return { kind: 'half-report', text: `junit.xml cannot be read: ${report.junit.reason}` };
    case 'read':
      return withJunit(own, report.junit);
  }
}

/** It ended by itself, or by a signal. */
type OwnEnding = Cl2Evidence & { readonly end: FollowedEnd };

function lost({ error, retryable }: Cl2Lost): Cl2Outcome {
  const { code, problem, given, next } = error;
  const text = given === undefined ? problem : `${problem}: ${given}`;
  const kind = code.split('/').at(-1) ?? code;
  return { kind: 'infrastructure', class: kind, retryable, text, next };
}

type ReadJunit = Extract<Cl2Report['junit'], { state: 'read' }>;

function withJunit(evidence: OwnEnding, junit: ReadJunit): Cl2Outcome {
  const { end, expected, log } = evidence;
  const steps = junit.cases - 1;
  const failed = stepsOf(junit.failing);
  if (junit.failing.length > 0 && steps <= 0) return beforeFirstStep(junit.failing, log);
  if (steps < expected.cases.length) {
    const text = `junit.xml has ${steps} of ${expected.cases.length} steps`;
    const first = failed[0];
    // A critical error leaves the later steps out: then the step that failed says more.
    return first === undefined ? { kind: 'half-report', text } : workloadFailed(failed);
  }
  if (junit.failing.length > 0) {
    const violated = junit.failing.every(({ text }) => MEASURED.test(text));
    if (violated) return { kind: 'violated', thresholds: failed.map(({ text }) => text) };
    return workloadFailed(failed);
  }
  if (end.state === 'signalled') {
    return killed(evidence, 'after its report was written');
  }
  if (end.code !== 0) {
    const text = `it ended with ${end.code} although no case of junit.xml failed`;
    return { kind: 'half-report', text };
  }
  const missing = missingFiles(evidence);
  return missing.length === 0 ? { kind: 'passed' } : { kind: 'silent-loss', files: [...missing] };
}

function withoutJunit(evidence: OwnEnding): Cl2Outcome {
  const { end, log } = evidence;
  if (end.state === 'signalled' || KILLED.has(end.code)) return killed(evidence, where(evidence));
  if (end.code === 0)
    return { kind: 'silent-loss', files: ['junit.xml', ...missingFiles(evidence)] };
  const refused = REFUSED.exec(log);
  if (refused !== null)
    return { kind: 'config-refused', text: refused[0].trim().slice(0, LONGEST) };
  return infrastructure(log);
}

/** Namespaces, dependencies: nothing of the scenario has been tried yet. */
function beforeFirstStep(failing: readonly FailedStep[], log: string): Cl2Outcome {
  const text = failing.map((one) => one.text).join('\n');
  const found = matchSignature(`${text}\n${log}`, { junit: true });
  return found === undefined ? workloadFailed(failing) : infrastructure(`${text}\n${log}`);
}

function infrastructure(log: string): Cl2Outcome {
  const found = matchSignature(log, { junit: false });
  const last = lastFatal(log);
  if (found === undefined) {
    const next = 'read engine.log of this attempt: no known failure looks like it';
    const text = last ?? 'it ended before it began, without a word';
    return { kind: 'infrastructure', class: 'unknown-setup-failure', retryable: false, text, next };
  }
  const { signature, excerpt } = found;
  return {
    kind: 'infrastructure',
    class: signature.class,
    retryable: signature.retry === 'yes' || signature.retry === 'once',
    text: `${signature.cause}: ${last ?? excerpt}`,
    next: signature.action,
  };
}

function killed(evidence: OwnEnding, when: string): Cl2Outcome {
  const { end, log } = evidence;
  const panic = /^(panic: .*|fatal error: .*)$/m.exec(log)?.[1];
  const by = end.state === 'signalled' ? end.signal : (KILLED.get(end.code) ?? String(end.code));
  if (panic !== undefined) return { kind: 'killed', by: 'panic', text: `${panic} ${when}` };
  return { kind: 'killed', by, text: `ended by ${by} ${when}` };
}

function workloadFailed(steps: readonly FailedStep[]): Cl2Outcome {
  return { kind: 'workload-failed', steps: [...steps] };
}

/** The `overall` case holds the joint list again; alone it stands for itself. */
function stepsOf(failing: readonly FailedStep[]): readonly FailedStep[] {
  const own = failing.filter(({ step }) => !/ overall \(/.test(step));
  return own.length === 0 ? failing : own;
}

function missingFiles({ expected, report }: Cl2Evidence): readonly string[] {
  return expected.files.filter((file) => !report.files.some((name) => name.startsWith(`${file}_`)));
}

function where({ report, log }: Cl2Evidence): string {
  const step = [...log.matchAll(/Step "([^"]+)" started/g)].at(-1)?.[1];
  const summaries = report.files.some(
    (name) => name.endsWith('.json') && name !== 'cl2-metadata.json',
  );
  if (summaries) return 'while it cleaned up';
  return step === undefined ? 'before its first step' : `in ${step}`;
}

function timedOut(evidence: Cl2Evidence): string {
  return `its time was over ${where(evidence)}`;
}

/** What the last fatal or error line says. */
function lastFatal(log: string): string | undefined {
  const lines = [...log.matchAll(/^[FE]\d{4} [^\]]*\] (.*)$/gm)].map((match) => match[1] ?? '');
  return lines.at(-1)?.slice(0, LONGEST);
}

const LONGEST = 500;

/** Texts by which it says that it measured. @see data/clusterloader2.md §4.4 */
const MEASURED =
  /too high latency|sample (above|below) threshold|too many samples|query returned no samples/;

/** Before it has a test: what we gave it is wrong. */
const REFUSED =
  /(Test compilation failed|Flag parse failed|Parsing flags error|Error while reading test suite|merge conflict for key|Test context creation failed)[^\n]*/;

/**
 * Codes by which shells, container engines and Go tell of a signal: 128 + its number, and 2 for a
 * panic or for SIGTERM at process 1 of a container. @see data/clusterloader2.md §2.5
 */
const KILLED: ReadonlyMap<number, string> = new Map([
  [2, 'SIGTERM'],
  [130, 'SIGINT'],
  [137, 'SIGKILL'],
  [143, 'SIGTERM'],
]);
