import type { Host } from '../../workload/platform/host.js';
import type { DoctorCheck } from './doctor-check.js';

/** Whether other programs use up the cores: a mesh comes up all the same, its measurements suffer. */
export function checkLoad(host: Pick<Host, 'cores' | 'loadAverage'>): DoctorCheck {
  const load = host.loadAverage();
  const found = `load ${load.toFixed(1)} on ${host.cores} ${host.cores === 1 ? 'core' : 'cores'}`;
  const check = { name: 'load', needed: 'no more programs at work than there are cores' };
  if (load <= host.cores) return { ...check, state: 'ok', found };
  return {
    ...check,
    state: 'warn',
    found: `${found}: measurements will be poor`,
    remedy: 'end other programs, or wait until they have ended',
  };
}
