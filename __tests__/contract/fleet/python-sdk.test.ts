import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { breachesOf } from '../../../sim/fleet-service/check-service.js';
import { withFleetServer } from '../../helpers/fleet-server.js';

/**
 * A second opinion on the service: a Python with azure-mgmt-containerservicefleet 4.1.0b1. Optional,
 * since that package is no dependency of ours.
 */
const PYTHON = process.env['MESHSCALE_TEST_FLEET_PYTHON'];
const SCRIPT = fileURLToPath(new URL('python_sdk.py', import.meta.url));
const withSdk = PYTHON === undefined ? it.skip : it;

describe('the fleet service', () => {
  withSdk(
    'is driven by the Python SDK of Fleet, unmodified',
    async () => {
      await withFleetServer(1, {}, async ({ server, env, service }) => {
        const place = ['1b6a0000-0000-0000-0000-000000000001', 'rg-sdk', 'fleet9'];
        const args = [SCRIPT, server.origin, env['MESHSCALE_ARM_CA'] ?? '', ...place];
        const { stdout } = await promisify(execFile)(PYTHON ?? '', args);
        expect(JSON.parse(stdout)).toEqual({
          joined: ['Succeeded', 'Succeeded'],
          made: 'NotConnected',
          applied: 'Applying',
          connected: 'Connected',
          members: ['mesh-001', 'mesh-002'],
          left: [],
        });
        expect(breachesOf(service.state)).toEqual([]);
      });
    },
    120_000,
  );
});
