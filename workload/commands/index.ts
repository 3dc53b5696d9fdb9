import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { registerCollect } from './collect.js';
import { registerCompare } from './compare.js';
import { registerDoctor } from './doctor.js';
import { registerDown } from './down.js';
import { registerInventory } from './inventory.js';
import { registerFleet } from './fleet.js';
import { registerEngines } from './engines.js';
import { registerGate } from './gate.js';
import { registerInternal } from './internal.js';
import { registerMesh } from './mesh.js';
import { registerQuery } from './query.js';
import { registerReport } from './report.js';
import { registerResume } from './resume.js';
import { registerCleanup } from './cleanup.js';
import { registerPreflight } from './preflight.js';
import { registerStart } from './start.js';
import { registerRun } from './run.js';
import { registerScenarios } from './scenarios.js';
import { registerUp } from './up.js';
import { registerValidate } from './validate.js';

/** Every command, in the order in which `--help` lists them. */
export function registerCommands(program: Command, context: CommandContext): void {
  for (const register of COMMANDS) register(program, context);
}

type Register = (program: Command, context: CommandContext) => void;

const COMMANDS: readonly Register[] = [
  registerStart,
  registerUp,
  registerMesh,
  registerRun,
  registerResume,
  registerPreflight,
  registerCleanup,
  registerDown,
  registerScenarios,
  registerValidate,
  registerCollect,
  registerReport,
  registerQuery,
  registerCompare,
  registerGate,
  registerEngines,
  registerInventory,
  registerFleet,
  registerDoctor,
  registerInternal,
];
