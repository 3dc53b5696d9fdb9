import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../../../local/engines/catalogue.js';
import { machineEngines } from '../../../../local/engines/engine-context.js';
import { ENGINE_NAMES } from '../../../../local/engines/engine-names.js';
import { probeVersion } from '../../../../local/engines/probe-version.js';
import { fits } from '../../../../local/engines/versions.js';
import { systemClock } from '../../../../workload/platform/clock.js';
import { systemHost } from '../../../../workload/platform/host.js';
import { silentProgress } from '../../../../workload/platform/progress.js';
import { systemProcesses } from '../../../../workload/platform/system-processes.js';
import { engineForTests } from '../../../helpers/engines.js';

const context = machineEngines({
  env: process.env,
  clock: systemClock,
  host: systemHost,
  processes: systemProcesses,
  progress: silentProgress,
});

describe('the real engines', () => {
  it.each(ENGINE_NAMES)('%s tells a version that fits', async (name) => {
    const probe = await probeVersion(CATALOGUE[name], engineForTests(name), context);
    expect(probe).toEqual({ state: 'version', version: expect.any(String) as unknown });
    expect(probe.state === 'version' && fits(CATALOGUE[name], probe.version)).toBe(true);
  });
});
