import { throwAll } from '../../model/user-error.js';
import type { PreflightReport } from '../inventory/preflight.js';
import type { Progress } from '../platform/progress.js';
import { cleanRun, type CleanRunSetting } from './clean-run.js';
import { smoke, smokePathOf, type SmokeSetting } from './smoke/smoke.js';

/**
 * Makes the smoke test of a run and removes what it made, also when it fails. In the journal before its
 * first object is made, so that whoever comes after a kill knows. Throws run/smoke-failed.
 */
export async function runSmoke(
  setting: SmokeSetting & CleanRunSetting,
): Promise<Pick<PreflightReport, 'good' | 'unseen'>> {
  const { journal, progress, clusters } = setting;
  const path = await smokePathOf(setting);
  if (path === 'none') return tell(await smoke(setting, path), progress);
  await journal.append({ event: 'gate', data: { smoke: path, begins: true } });
  progress.report({ subject: 'gate', state: 'running', text: `smoke test of the ${path} path` });
  try {
    const found = await smoke(setting, path);
    const { good, problems } = found;
    const failures = problems.map(({ code, message }) => ({ code, message }));
    await journal.append({ event: 'gate', data: { smoke: path, good, problems: failures } });
    if (failures.length > 0) {
      await journal.append({ event: 'run-ended', data: { refused: 'smoke' } });
    }
    throwAll(problems);
    return tell(found, progress);
  } finally {
    await cleanRun(clusters, setting);
  }
}

function tell(found: PreflightReport, progress: Progress): PreflightReport {
  for (const text of found.good) progress.report({ subject: 'gate', state: 'note', text });
  return found;
}
