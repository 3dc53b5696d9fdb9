import { azureErrors } from '../fleet/arm/errors.js';
import { fleetErrors } from '../fleet/errors.js';
import { constructErrors } from '../constructs/errors.js';
import { AGENT_CONTROLLER_ERRORS } from '../local/agent-controller/errors.js';
import { engineErrors } from '../local/engines/errors.js';
import { meshErrors } from '../local/errors.js';
import { stateErrors } from '../local/state/errors.js';
import type { ErrorMeaning } from '../model/error-catalogue.js';
import { specErrors } from '../model/errors.js';
import { stackErrors } from '../stacks/errors.js';
import { runErrors } from '../workload/exec/errors.js';
import { cl2Errors } from '../workload/cl2/errors.js';
import { executorErrors } from '../workload/cl2/executors/errors.js';
import { compareErrors } from '../workload/compare/errors.js';
import { inventoryErrors } from '../workload/inventory/errors.js';
import { KUBE_ERRORS } from '../workload/kube/errors.js';
import { ETCD_ERRORS } from '../workload/kube/etcd/errors.js';
import { collectErrors } from '../workload/results/errors.js';
import { scenarioErrors } from '../workload/scenario/errors.js';
import { storeErrors } from '../workload/store/errors.js';
import { usageErrors } from '../workload/ui/errors.js';

/** The codes of one folder's `errors.ts`. */
export interface ListedCatalogue {
  /** Path in the repository. */
  readonly file: string;
  readonly meanings: Readonly<Record<string, ErrorMeaning>>;
}

/**
 * Every `errors.ts` of the project, for `docs/errors.md`. A list, so that a catalogue is used by
 * name and its types are checked; a test fails when a file is not in it.
 */
export const ERROR_CATALOGUES: readonly ListedCatalogue[] = [
  { file: 'constructs/errors.ts', meanings: constructErrors.meanings },
  { file: 'fleet/arm/errors.ts', meanings: azureErrors.meanings },
  { file: 'fleet/errors.ts', meanings: fleetErrors.meanings },
  { file: 'local/agent-controller/errors.ts', meanings: AGENT_CONTROLLER_ERRORS },
  { file: 'local/engines/errors.ts', meanings: engineErrors.meanings },
  { file: 'local/errors.ts', meanings: meshErrors.meanings },
  { file: 'local/state/errors.ts', meanings: stateErrors.meanings },
  { file: 'workload/cl2/errors.ts', meanings: cl2Errors.meanings },
  { file: 'workload/cl2/executors/errors.ts', meanings: executorErrors.meanings },
  { file: 'workload/compare/errors.ts', meanings: compareErrors },
  { file: 'workload/exec/errors.ts', meanings: runErrors.meanings },
  { file: 'workload/inventory/errors.ts', meanings: inventoryErrors.meanings },
  { file: 'workload/kube/errors.ts', meanings: KUBE_ERRORS },
  { file: 'workload/kube/etcd/errors.ts', meanings: ETCD_ERRORS },
  { file: 'workload/results/errors.ts', meanings: collectErrors },
  { file: 'workload/scenario/errors.ts', meanings: scenarioErrors.meanings },
  { file: 'workload/store/errors.ts', meanings: storeErrors },
  { file: 'workload/ui/errors.ts', meanings: usageErrors.meanings },
  { file: 'model/errors.ts', meanings: specErrors.meanings },
  { file: 'stacks/errors.ts', meanings: stackErrors.meanings },
];
