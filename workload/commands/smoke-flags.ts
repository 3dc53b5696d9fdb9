import { badSmoke } from '../exec/errors.js';
import type { SmokeSetting } from '../exec/smoke/smoke.js';
import type { RunFlags } from './run-flags.js';

/** The smoke test that the flags ask for. Throws run/bad-smoke. */
export function smokeOf({
  smoke = 'auto',
  smokeImage,
}: Pick<RunFlags, 'smoke' | 'smokeImage'>): Pick<SmokeSetting, 'mode' | 'image'> {
  if (smoke !== 'auto' && smoke !== 'always' && smoke !== 'never') throw badSmoke(smoke);
  return { mode: smoke, image: smokeImage ?? AGNHOST };
}

/** Answers with its name, and asks others by `/dial`: one image for both. @see kubernetes test/images/agnhost */
const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53';
