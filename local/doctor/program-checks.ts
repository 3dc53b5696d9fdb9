import type { EngineContext } from '../engines/engine-context.js';
import { ENGINE_NAMES } from '../engines/engine-names.js';
import { programsOnPath } from '../engines/find-outside.js';
import type { GoToolchain } from '../engines/go-toolchain.js';
import { OLDEST_GO } from '../engines/remedies.js';
import type { EngineSearch } from '../engines/resolve-engines.js';
import { compareNumbers } from '../engines/versions.js';
import { judged, type DoctorCheck } from './doctor-check.js';

/** As `engines` in package.json. */
const OLDEST_NODE = '20.19.0';

/** Node itself. */
export function checkNode(version: string): DoctorCheck {
  return judged(compareNumbers(version, OLDEST_NODE) >= 0, 'missing', {
    name: 'node',
    found: version,
    needed: `${OLDEST_NODE} or later`,
    remedy: 'install a newer Node.js (https://nodejs.org)',
  });
}

/** Whether every engine is there, or can be built when it is needed. */
export function checkEngines(search: EngineSearch, go: GoToolchain): DoctorCheck {
  const [wrong] = search.errors;
  const check = {
    name: 'engines',
    found: `${search.found.length} of ${ENGINE_NAMES.length}`,
    needed: 'all; what is missing is installed by the first `meshscale up`',
  };
  if (wrong !== undefined) {
    return { ...check, state: 'missing', found: wrong.problem, remedy: wrong.next };
  }
  if (search.missing.length === 0) return { ...check, state: 'ok' };
  const found = `${check.found}, without ${search.missing.join(', ')}`;
  return go.state === 'ready'
    ? { ...check, state: 'warn', found, remedy: '`meshscale engines install` gets them now' }
    : {
        ...check,
        state: 'missing',
        found,
        remedy:
          'install Go (next line) and run `meshscale engines install`; --from download gets most without Go',
      };
}

/** Go is needed only while an engine has to be built. */
export function checkGo(go: GoToolchain, allEnginesThere: boolean): DoctorCheck {
  return judged(go.state === 'ready', allEnginesThere ? 'warn' : 'missing', {
    name: 'go',
    found: go.state === 'missing' ? 'none' : go.version,
    needed: `${OLDEST_GO} or later, to build engines`,
    remedy: `install Go ${OLDEST_GO} or later (https://go.dev/dl)`,
  });
}

/** Programs that only some parts use. */
export async function checkOptional(context: EngineContext): Promise<readonly DoctorCheck[]> {
  return Promise.all(
    OPTIONAL.map(async ({ name, programs, needed, remedy }) => {
      const found = await Promise.all(programs.map((it) => programsOnPath(it, context.env)));
      const path = found.flat()[0];
      return judged(path !== undefined, 'warn', { name, found: path ?? 'none', needed, remedy });
    }),
  );
}

const OPTIONAL = [
  {
    name: 'git',
    programs: ['git'],
    needed: 'optional: Go fetches modules with it where no module proxy is used',
    remedy: 'install git if GOPROXY is off or direct',
  },
  {
    name: 'terraform',
    programs: ['terraform'],
    needed: 'optional: meshes on Azure',
    remedy: 'install Terraform (https://developer.hashicorp.com/terraform/install)',
  },
  {
    name: 'chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    needed: 'optional: pictures of reports in the tests',
    remedy: 'install Chromium or Chrome',
  },
] as const;
