import type { Random } from '../../workload/platform/random.js';
import type { EngineContext } from '../engines/engine-context.js';
import { ENGINE_NAMES } from '../engines/engine-names.js';
import { findGo } from '../engines/go-toolchain.js';
import { findEngines } from '../engines/resolve-engines.js';
import { checkLoad } from './check-load.js';
import type { DoctorCheck } from './doctor-check.js';
import { checkDisk, checkMemory, checkPorts, checkRights } from './machine-checks.js';
import { checkEngines, checkGo, checkNode, checkOptional } from './program-checks.js';

/** What an examination needs of the world. */
export interface Patient {
  readonly engines: EngineContext;
  readonly random: Random;
  /** Where meshes keep their state. */
  readonly stateDir: string;
  /** Node's own version, `v20.19.0`. */
  readonly nodeVersion: string;
  /** Undefined where users have no numbers. */
  readonly userId: number | undefined;
}

/** Looks at all that a local mesh needs, and at what other parts of meshscale would like to have. */
export async function examine(patient: Patient): Promise<readonly DoctorCheck[]> {
  const { engines } = patient;
  const [search, go] = await Promise.all([findEngines(ENGINE_NAMES, engines), findGo(engines)]);
  const allThere = search.found.length === ENGINE_NAMES.length;
  return [
    checkNode(patient.nodeVersion),
    checkEngines(search, go),
    checkGo(go, allThere),
    checkLoad(engines.host),
    checkMemory(engines.host, allThere),
    await checkDisk('disk (engines)', engines.cacheDir, allThere ? 'kept' : 'built', engines.host),
    await checkDisk('disk (meshes)', patient.stateDir, 'mesh', engines.host),
    await checkPorts(patient.random),
    checkRights(patient.userId),
    ...(await checkOptional(engines)),
  ];
}
