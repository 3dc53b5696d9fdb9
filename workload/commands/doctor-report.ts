import type { DoctorCheck } from '../../local/doctor/doctor-check.js';
import { examine } from '../../local/doctor/examine.js';
import { stateDirectory } from '../../local/world.js';
import type { CommandContext } from './context.js';
import { enginesOf } from './engine-surroundings.js';

/** Prints every check; ends with `infrastructure` when the local mesh cannot run here. */
export async function tellHealth(context: CommandContext): Promise<void> {
  const checks = await examine({
    engines: enginesOf(context),
    random: context.random,
    stateDir: stateDirectory(undefined, context.env, context.cwd),
    nodeVersion: process.version,
    userId: process.getuid?.(),
  });
  const works = checks.every((check) => check.state !== 'missing');
  if (context.wantsJson()) {
    context.output.json({ schemaVersion: 1, localMesh: works, checks });
  } else {
    for (const line of checks.flatMap(checkLines)) context.output.data(line);
    context.output.data(
      works ? '\nThe local mesh can run here.' : '\nThe local mesh cannot run here yet.',
    );
  }
  if (!works) context.exitWith('infrastructure');
}

const MARKS: Readonly<Record<DoctorCheck['state'], string>> = { ok: '✓', warn: '·', missing: '✗' };

function checkLines(check: DoctorCheck): readonly string[] {
  const line = `${MARKS[check.state]} ${check.name.padEnd(15)} ${check.found}`;
  if (check.remedy === undefined) return [line];
  const indent = ' '.repeat(18);
  return [line, `${indent}needed: ${check.needed}`, `${indent}next:   ${check.remedy}`];
}
